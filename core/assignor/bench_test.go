package assignor

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"groupscope/core/protocol"
)

// crowd is a size at which assignors are measured; all members subscribe to
// all topics.
type crowd struct {
	members, topics int
	partitions      int32 // of each topic
}

var crowds = []crowd{{100, 10, 100}, {1000, 100, 100}, {10000, 100, 1000}}

// spec is a group of the crowd's size and more members, who have nothing yet.
// Ids are random, as those that clients make for themselves and brokers for
// topics.
func (c crowd) spec(more int) Spec {
	r := rand.New(rand.NewPCG(1, uint64(c.members)))
	spec := Spec{Homogeneous: true}
	var ids []protocol.TopicID
	for i := range c.topics {
		t := protocol.Topic{Name: fmt.Sprintf("topic-%03d", i), Partitions: c.partitions}
		t.ID = protocol.TopicID(t.Name)
		binary.BigEndian.PutUint64(t.UUID[:8], r.Uint64())
		binary.BigEndian.PutUint64(t.UUID[8:], r.Uint64())
		spec.Topics = append(spec.Topics, t)
		ids = append(ids, t.ID)
	}
	for range c.members + more {
		var id [16]byte
		binary.BigEndian.PutUint64(id[:8], r.Uint64())
		binary.BigEndian.PutUint64(id[8:], r.Uint64())
		spec.Members = append(spec.Members, Member{ID: base64.RawURLEncoding.EncodeToString(id[:]), Topics: ids})
	}
	return spec
}

// streams is the crowd as a streams group: a subtopology for each topic, all
// of them with state, and a process for each member.
func (c crowd) streams(more, standbys int) StreamsSpec {
	spec := StreamsSpec{StandbyReplicas: standbys}
	of := c.spec(c.members + 2*more)
	for _, t := range of.Topics {
		spec.Subtopologies = append(spec.Subtopologies, StreamsSubtopology{ID: t.ID, Tasks: t.Partitions, Stateful: true})
	}
	n := c.members + more
	for i := range n {
		spec.Members = append(spec.Members, StreamsMember{ID: of.Members[i].ID, ProcessID: of.Members[n+i].ID})
	}
	return spec
}

// oneMoreStream is the spec of a group that has its tasks and gets a member
// more.
func (c crowd) oneMoreStream(b *testing.B, standbys int) StreamsSpec {
	spec := c.streams(1, standbys)
	all := spec.Members
	spec.Members = all[:c.members]
	target, err := Sticky{}.Assign(spec)
	require.NoError(b, err)
	for i := range target {
		all[i].Has = target[i]
	}
	spec.Members = all
	return spec
}

// oneMore is the spec of a group that has a target and gets a member more.
func (c crowd) oneMore(b *testing.B, with Assignor) Spec {
	spec := c.spec(1)
	newcomer := spec.Members[c.members]
	spec.Members = spec.Members[:c.members]
	target, err := with.Assign(spec)
	require.NoError(b, err)
	for i := range spec.Members {
		spec.Members[i].Target = target[i]
	}
	spec.Members = append(slices.Clone(spec.Members), newcomer)
	return spec
}

// The input is prepared; Assign alone is measured.
func BenchmarkAssign(b *testing.B) {
	for _, with := range []Assignor{Uniform{}, Range{}} {
		for _, c := range crowds {
			name := fmt.Sprintf("%s/members=%d", with.Name(), c.members)
			b.Run(name+"/from=empty", func(b *testing.B) { benchmarkAssign(b, with, c.spec(0)) })
			b.Run(name+"/from=one-less", func(b *testing.B) { benchmarkAssign(b, with, c.oneMore(b, with)) })
		}
	}
	for _, c := range crowds {
		for standbys := range 2 {
			name := fmt.Sprintf("sticky/members=%d/standbys=%d", c.members, standbys)
			b.Run(name+"/from=empty", func(b *testing.B) { benchmarkSticky(b, c.streams(0, standbys)) })
			b.Run(name+"/from=one-less", func(b *testing.B) { benchmarkSticky(b, c.oneMoreStream(b, standbys)) })
		}
	}
}

func benchmarkAssign(b *testing.B, with Assignor, spec Spec) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := with.Assign(spec); err != nil {
			b.Fatal(err)
		}
	}
}

func benchmarkSticky(b *testing.B, spec StreamsSpec) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := (Sticky{}).Assign(spec); err != nil {
			b.Fatal(err)
		}
	}
}
