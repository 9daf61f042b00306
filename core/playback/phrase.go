package playback

import (
	"fmt"
	"strings"

	"groupscope/core/prose"
	"groupscope/core/protocol"
	"groupscope/core/sim"
)

// phrase tells an action as a clause in the present tense, without a full
// stop: "A crashes".
func phrase(a sim.Action) string {
	switch a := a.(type) {
	case sim.Join:
		return a.Member + " joins"
	case sim.Heartbeat:
		return a.Member + " heartbeats"
	case sim.Leave:
		return a.Member + " leaves"
	case sim.Crash:
		return a.Member + " crashes"
	case sim.Restart:
		return a.Member + " starts again"
	case sim.Pause:
		return fmt.Sprintf("%s stops polling for %s", a.Member, Seconds(a.For))
	case sim.Subscribe:
		if len(a.Topics) == 0 {
			return a.Member + " subscribes to nothing"
		}
		return fmt.Sprintf("%s subscribes to %s", a.Member, prose.And(a.Topics))
	case sim.LoseRequest:
		return lost(a.Member, "heartbeat", a.Count)
	case sim.LoseResponse:
		return lost(a.Member, "answer", a.Count)
	case sim.Delay:
		what := "request"
		if a.Response {
			what = "answer"
		}
		return fmt.Sprintf("%s next %s is %s late", own(a.Member), what, Seconds(a.By))
	case sim.Disconnect:
		return own(a.Member) + " connection breaks"
	case sim.FailOver:
		return "the coordinator fails over"
	case sim.SetTopics:
		return topicsPhrase(a.Topics)
	case sim.Run:
		return fmt.Sprintf("clients run for %s", Seconds(a.For))
	case sim.Until:
		return fmt.Sprintf("clients run until %s", Seconds(a.At))
	case sim.Advance:
		return fmt.Sprintf("%s pass without a client", Seconds(a.For))
	}
	return fmt.Sprintf("%T", a)
}

func lost(member, what string, n int) string {
	if n <= 1 {
		return fmt.Sprintf("%s next %s is lost", own(member), what)
	}
	return fmt.Sprintf("%s next %ss are lost", own(member), fmt.Sprintf("%d %s", n, what))
}

func topicsPhrase(topics []protocol.Topic) string {
	var words []string
	for _, t := range topics {
		if t.Partitions == 0 {
			words = append(words, t.Name+" is deleted")
		} else {
			words = append(words, fmt.Sprintf("%s has %s", t.Name, count(int(t.Partitions), "partition")))
		}
	}
	return prose.And(words)
}

// branchName names a branch after the act that opened it. later: it was done
// after the stop, not at it.
func branchName(a sim.Action, label string, later bool) string {
	where := "at"
	if later {
		where = "after"
	}
	name := phrase(a)
	if first, rest, ok := strings.Cut(name, " "); ok && (first == "the" || first == "clients") {
		name = strings.ToUpper(first[:1]) + first[1:] + " " + rest
	}
	return fmt.Sprintf("%s %s %s", name, where, label)
}
