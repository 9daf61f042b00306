package assignor_test

import (
	"fmt"
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
