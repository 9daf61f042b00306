package coordinator

import (
	"fmt"

	"groupscope/core/prose"
)

// The texts about regexes and offsets.

func textRefresh(regexes []string) string {
	return "A task of its own will look which topics match " + and(regexes) + ". Until then the new ones stand for no topic."
}

func textResolved(regex string, topics []string) string {
	return regex + " matches " + and(topics) + "."
}

func textOffsetsExpired(group string, n int) string {
	return fmt.Sprintf("%d offsets of group %s %s older than the retention and of topics that it does not read.", n, group, prose.IsAre(n))
}
