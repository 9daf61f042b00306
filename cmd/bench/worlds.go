package main

import (
	"fmt"
	"strings"
)

// crowd is a scenario in which so many members join, half of them at the
// start and half after a minute, and then live by themselves.
func crowd(members, partitions int, minutes int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "groupscope: 1\ntitle: A crowd\nrules: kip\ntopics: {foo: %d}\nmembers:\n", partitions)
	for m := range members {
		fmt.Fprintf(&b, "  m%03d: {subscribe: [foo], latency: 2ms..20ms}\n", m)
	}
	b.WriteString("steps:\n")
	for m := range members {
		if m == members/2 {
			b.WriteString("  - run: 60s\n  - step: half\n    say: The other half joins.\n")
		}
		fmt.Fprintf(&b, "  - join: m%03d\n", m)
	}
	fmt.Fprintf(&b, "  - run: %dm\n  - step: end\n    say: All is shared.\n", minutes)
	return b.String()
}
