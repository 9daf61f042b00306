package assignor_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/assignor"
	"groupscope/core/protocol"
)

// streamsGroup is a spec that a test changes step by step.
type streamsGroup struct {
	t    *testing.T
	spec assignor.StreamsSpec
}

func tasks(subtopology string, numbers ...int32) protocol.Assignment {
	if len(numbers) == 0 {
		return protocol.Assignment{}
	}
	return protocol.Assignment{{Topic: protocol.TopicID(subtopology), Partitions: numbers}}
}

func streamsOf(t *testing.T, standbys int, subtopologies ...assignor.StreamsSubtopology) *streamsGroup {
	return &streamsGroup{t, assignor.StreamsSpec{Subtopologies: subtopologies, StandbyReplicas: standbys}}
}

func (g *streamsGroup) join(id, process string) {
	g.spec.Members = append(g.spec.Members, assignor.StreamsMember{ID: id, ProcessID: process})
}

// assign computes a target, which the members then have.
func (g *streamsGroup) assign() string {
	g.t.Helper()
	out, err := assignor.Sticky{}.Assign(g.spec)
	require.NoError(g.t, err)
	text := ""
	for i, tasks := range out {
		m := &g.spec.Members[i]
		m.Has = tasks
		text += fmt.Sprintf("%s: %s / %s; ", m.ID, tasks.Active, tasks.Standby)
	}
	return text
}

func TestAMemberWithLessThanItsQuotaKeepsItsTasksAndTheNewOneGetsTheRest(t *testing.T) {
	g := streamsOf(t, 0, assignor.StreamsSubtopology{ID: "0", Tasks: 4})
	g.join("a", "p1")
	assert.Equal(t, "a: 0 [0, 1, 2, 3] / nothing; ", g.assign())
	g.join("b", "p2")
	assert.Equal(t, "a: 0 [0, 1] / nothing; b: 0 [2, 3] / nothing; ", g.assign())
}

func TestAStandbyGoesToTheFormerActiveOwner(t *testing.T) {
	g := streamsOf(t, 1, assignor.StreamsSubtopology{ID: "0", Tasks: 4, Stateful: true})
	g.join("a", "p1")
	assert.Equal(t, "a: 0 [0, 1, 2, 3] / nothing; ", g.assign(), "one process runs a task once")
	g.join("b", "p2")
	assert.Equal(t, "a: 0 [0, 1] / 0 [2, 3]; b: 0 [2, 3] / 0 [0, 1]; ", g.assign())
}

func TestAnOffsetOfATaskOutweighsLoadAndAStandbyOutweighsAnOffset(t *testing.T) {
	task := protocol.Partition{Topic: "0"}
	g := streamsOf(t, 0, assignor.StreamsSubtopology{ID: "0", Tasks: 1, Stateful: true})
	g.join("a", "p1")
	g.join("b", "p2")
	g.join("c", "p3")
	g.spec.Members[1].Offsets = []protocol.TaskOffset{{Task: task, Offset: 5}}
	g.spec.Members[2].Offsets = []protocol.TaskOffset{{Task: task, Offset: 9}}
	assert.Equal(t, "a: nothing / nothing; b: nothing / nothing; c: 0 [0] / nothing; ", g.assign(), "the larger offset first")
	g.spec.Members[2].Has = protocol.Tasks{}
	g.spec.Members[0].Has.Standby = tasks("0", 0)
	assert.Equal(t, "a: 0 [0] / nothing; b: nothing / nothing; c: nothing / nothing; ", g.assign())
}

func TestWithoutAnyProcessThereIsNoTarget(t *testing.T) {
	_, err := assignor.Sticky{}.Assign(assignor.StreamsSpec{Subtopologies: []assignor.StreamsSubtopology{{ID: "0", Tasks: 1}}})
	assert.EqualError(t, err, "there is no process to run the tasks")
	out, err := assignor.Sticky{}.Assign(assignor.StreamsSpec{})
	require.NoError(t, err, "but nothing needs none")
	assert.Empty(t, out)
}

func TestAMemberThatKeepsItsTasksIsLeftOutOfEverything(t *testing.T) {
	g := streamsOf(t, 1, assignor.StreamsSubtopology{ID: "0", Tasks: 4, Stateful: true})
	for i, process := range []string{"p1", "p1", "p2", "p3"} {
		g.join(string(rune('a'+i)), process)
	}
	old := &g.spec.Members[0]
	old.Keeps = true
	old.Has = protocol.Tasks{Active: tasks("0", 0), Standby: tasks("0", 1), Warmup: protocol.Assignment{{Topic: "gone", Partitions: []int32{7}}}}
	out, err := assignor.Sticky{}.Assign(g.spec)
	require.NoError(t, err)
	assert.Equal(t, old.Has, out[0], "also a task that the topology does not have")
	assert.Equal(t, []int{1, 1, 1}, []int{out[1].Active.Len(), out[2].Active.Len(), out[3].Active.Len()})
	for _, task := range append(out[1].Active.Partitions(), out[1].Standby.Partitions()...) {
		assert.Greater(t, task.Number, int32(1), "its process has 0 and 1 already")
	}
	copies := map[protocol.Partition]int{}
	for _, m := range out {
		for _, task := range m.Standby.Partitions() {
			copies[task]++
		}
	}
	assert.Equal(t, 1, copies[protocol.Partition{Topic: "0", Number: 1}], "the standby that it keeps is the one")
	assert.Equal(t, 1, copies[protocol.Partition{Topic: "0", Number: 0}], "the task that it runs has a standby elsewhere")

	for i := range g.spec.Members {
		g.spec.Members[i].Keeps = true
	}
	_, err = assignor.Sticky{}.Assign(g.spec)
	assert.NoError(t, err, "if all keep theirs, the other tasks wait")
}

// eachStreamsGroup tries a claim on many groups that have been through a few
// targets.
func eachStreamsGroup(t *testing.T, claim func(t *testing.T, spec assignor.StreamsSpec)) {
	t.Helper()
	for seed := range uint64(400) {
		claim(t, drawStreams(t, rand.New(rand.NewPCG(seed, 6))))
		require.False(t, t.Failed(), "seed %d", seed)
	}
}

func drawStreams(t *testing.T, r *rand.Rand) assignor.StreamsSpec {
	t.Helper()
	spec := assignor.StreamsSpec{StandbyReplicas: r.IntN(4)}
	for i := range 1 + r.IntN(4) {
		spec.Subtopologies = append(spec.Subtopologies, assignor.StreamsSubtopology{
			ID: protocol.TopicID(fmt.Sprint(i)), Tasks: r.Int32N(10), Stateful: r.IntN(2) == 0,
		})
	}
	processes, own := 1+r.IntN(5), r.IntN(2) == 0
	for range 1 + r.IntN(4) {
		for range 1 + r.IntN(3) {
			n := len(spec.Members)
			process := r.IntN(processes)
			if own {
				process = n
			}
			spec.Members = append(spec.Members, assignor.StreamsMember{ID: fmt.Sprintf("m%d", n), ProcessID: fmt.Sprintf("p%d", process)})
		}
		out, err := assignor.Sticky{}.Assign(spec)
		require.NoError(t, err)
		for i := range out {
			spec.Members[i].Has = out[i]
		}
	}
	return spec
}

func TestEveryTaskIsActiveOnceAndNoProcessHasItTwice(t *testing.T) {
	eachStreamsGroup(t, func(t *testing.T, spec assignor.StreamsSpec) {
		active := map[protocol.Partition]int{}
		inProcess := map[string]int{}
		processes := map[string]bool{}
		standbys := map[protocol.Partition]int{}
		for _, m := range spec.Members {
			processes[m.ProcessID] = true
			for _, task := range m.Has.Active.Partitions() {
				active[task]++
				inProcess[m.ProcessID+protocol.TaskName(task)]++
			}
			for _, task := range m.Has.Standby.Partitions() {
				standbys[task]++
				inProcess[m.ProcessID+protocol.TaskName(task)]++
			}
		}
		total := 0
		for _, s := range spec.Subtopologies {
			total += int(s.Tasks)
			for n := range s.Tasks {
				task := protocol.Partition{Topic: s.ID, Number: n}
				assert.Equal(t, 1, active[task], protocol.TaskName(task))
				want := 0
				if s.Stateful {
					want = min(spec.StandbyReplicas, len(processes)-1)
				}
				assert.Equal(t, want, standbys[task], "as many standbys as there are other processes, at most")
			}
		}
		assert.Len(t, active, total)
		for place, n := range inProcess {
			assert.Equal(t, 1, n, place)
		}
	})
}

// With several members in a process the broker balances processes, and a member
// may be left with more than its share.
func TestWhereEachMemberIsAProcessActiveTasksAreSpreadEvenly(t *testing.T) {
	eachStreamsGroup(t, func(t *testing.T, spec assignor.StreamsSpec) {
		if !eachItsOwn(spec) {
			return
		}
		most, least := 0, 1<<30
		for _, m := range spec.Members {
			most, least = max(most, m.Has.Active.Len()), min(least, m.Has.Active.Len())
		}
		assert.LessOrEqual(t, most-least, 1)
	})
}

func eachItsOwn(spec assignor.StreamsSpec) bool {
	seen := map[string]bool{}
	for _, m := range spec.Members {
		seen[m.ProcessID] = true
	}
	return len(seen) == len(spec.Members)
}

func TestWhereEachMemberIsAProcessActiveTasksStayWhenNothingChanges(t *testing.T) {
	eachStreamsGroup(t, func(t *testing.T, spec assignor.StreamsSpec) {
		if !eachItsOwn(spec) {
			return
		}
		again, err := assignor.Sticky{}.Assign(spec)
		require.NoError(t, err)
		for i, m := range spec.Members {
			assert.Equal(t, m.Has.Active, again[i].Active, m.ID)
		}
	})
}
