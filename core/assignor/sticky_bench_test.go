package assignor_test

import (
	"fmt"
	"testing"

	"groupscope/core/assignor"
	"groupscope/core/protocol"
)

func stickySpec(members, subs, tasks, standbys int) *streamsGroup {
	g := &streamsGroup{}
	g.spec.StandbyReplicas = standbys
	for i := range subs {
		g.spec.Subtopologies = append(g.spec.Subtopologies, assignor.StreamsSubtopology{ID: "", Tasks: int32(tasks / subs), Stateful: true})
		g.spec.Subtopologies[i].ID = ""
	}
	for i := range subs {
		g.spec.Subtopologies[i].ID = subID(i)
	}
	for i := range members {
		g.join(fmt.Sprintf("m%05d", i), fmt.Sprintf("p%05d", i))
	}
	return g
}

func BenchmarkSticky(b *testing.B) {
	for _, size := range [][3]int{{100, 10, 1000}, {1000, 100, 10000}, {10000, 100, 100000}} {
		for _, standbys := range []int{0, 1} {
			b.Run(fmt.Sprintf("members=%d/tasks=%d/standbys=%d/empty", size[0], size[2], standbys), func(b *testing.B) {
				g := stickySpec(size[0], size[1], size[2], standbys)
				for b.Loop() {
					_, _ = assignor.Sticky{}.Assign(g.spec)
				}
			})
			b.Run(fmt.Sprintf("members=%d/tasks=%d/standbys=%d/onemore", size[0], size[2], standbys), func(b *testing.B) {
				g := stickySpec(size[0], size[1], size[2], standbys)
				out, _ := assignor.Sticky{}.Assign(g.spec)
				for i := range out {
					g.spec.Members[i].Has = out[i]
				}
				g.join("new", "pnew")
				for b.Loop() {
					_, _ = assignor.Sticky{}.Assign(g.spec)
				}
			})
		}
	}
}

func subID(i int) protocol.TopicID { return protocol.TopicID(fmt.Sprintf("%03d", i)) }
