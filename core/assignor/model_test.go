package assignor

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"groupscope/core/protocol"
)

// plainUniform is uniform for members that subscribe alike, written down as
// the rule reads, partition by partition.
func plainUniform(spec Spec) map[string][]protocol.Partition {
	topics := map[protocol.TopicID]protocol.Topic{}
	var free []protocol.Partition
	owner := map[protocol.Partition]string{}
	for _, m := range spec.Members {
		for _, p := range m.Target.Partitions() {
			owner[p] = m.ID
		}
	}
	total := 0
	byName := plainOrder(slices.Clone(spec.Topics), func(t protocol.Topic) uint32 { return StringHash(t.Name) })
	for _, t := range plainOrder(byName, func(t protocol.Topic) uint32 { return uuidHash(t.UUID) }) {
		topics[t.ID] = t
		for n := range t.Partitions {
			total++
			if p := (protocol.Partition{Topic: t.ID, Number: n}); owner[p] == "" {
				free = append(free, p)
			}
		}
	}
	out := map[string][]protocol.Partition{}
	type lack struct {
		id string
		n  int
	}
	var lacking []lack
	members := plainOrder(slices.Clone(spec.Members), func(m Member) uint32 { return StringHash(m.ID) })
	extra := total % len(members)
	for i, m := range members {
		quota, tookExtra := total/len(members), extra > 0
		if tookExtra {
			quota++
		}
		var old []protocol.Topic
		for _, tp := range slices.Backward(m.Target) {
			old = append(old, topics[tp.Topic])
		}
		for _, t := range plainOrder(old, func(t protocol.Topic) uint32 { return uuidHash(t.UUID) }) {
			for _, p := range m.Target.Partitions() {
				if p.Topic != t.ID {
					continue
				}
				if quota > 0 {
					out[m.ID] = append(out[m.ID], p)
					quota--
				} else {
					free = append(free, p)
				}
			}
		}
		if quota > 0 && tookExtra && len(members)-i > extra {
			quota, tookExtra = quota-1, false
		}
		if quota > 0 {
			lacking = append(lacking, lack{m.ID, quota})
		}
		if tookExtra {
			extra--
		}
	}
	for _, l := range lacking {
		out[l.id] = append(out[l.id], free[:l.n]...)
		free = free[l.n:]
	}
	return out
}

// plainOrder walks a Java HashMap.
func plainOrder[T any](keys []T, hash func(T) uint32) []T {
	capacity := uint32(16)
	for len(keys)*4 > int(capacity)*3 {
		capacity *= 2
	}
	bucket := func(k T) uint32 { return (hash(k) ^ hash(k)>>16) % capacity }
	slices.SortStableFunc(keys, func(a, b T) int { return cmp.Compare(bucket(a), bucket(b)) })
	return keys
}

// plainRange counts partitions out, one subscriber after the other.
func plainRange(spec Spec) map[string][]protocol.Partition {
	members := slices.Clone(spec.Members)
	slices.SortFunc(members, func(a, b Member) int {
		if static := (a.InstanceID != ""); static != (b.InstanceID != "") {
			return map[bool]int{true: -1, false: 1}[static]
		}
		return cmp.Or(strings.Compare(a.InstanceID, b.InstanceID), strings.Compare(a.ID, b.ID))
	})
	out := map[string][]protocol.Partition{}
	for _, t := range spec.Topics {
		next := int32(0)
		for i, m := range members {
			n := int(t.Partitions) / len(members)
			if i < int(t.Partitions)%len(members) {
				n++
			}
			for range n {
				out[m.ID] = append(out[m.ID], protocol.Partition{Topic: t.ID, Number: next})
				next++
			}
		}
	}
	return out
}

// Groups of one subscription whose members come and go, with topics large
// enough for every shortcut.
func TestAssignorsGiveWhatTheRulesReadPlainlyGive(t *testing.T) {
	for _, judged := range []struct {
		with  Assignor
		plain func(Spec) map[string][]protocol.Partition
	}{{Uniform{}, plainUniform}, {Range{}, plainRange}} {
		for seed := range uint64(200) {
			r := rand.New(rand.NewPCG(seed, 3))
			spec := largeTopics(r)
			for step := range 8 {
				comeAndGo(r, step, &spec)
				got, err := judged.with.Assign(spec)
				require.NoError(t, err)
				want := judged.plain(spec)
				for i := range spec.Members {
					m := &spec.Members[i]
					require.Equal(t, protocol.NewAssignment(want[m.ID]), got[i], "%s of %s, seed %d", judged.with.Name(), m.ID, seed)
					m.Target = got[i]
				}
			}
		}
	}
}

// largeTopics is a group without members. Some topics share a bucket.
func largeTopics(r *rand.Rand) Spec {
	spec := Spec{Homogeneous: true}
	for i := range 1 + r.IntN(4) {
		topic := protocol.Topic{Name: fmt.Sprintf("t%d", i), Partitions: 1 + r.Int32N(150)}
		topic.ID, topic.UUID = protocol.TopicID(topic.Name), uuid(byte(16*i+r.IntN(2)))
		topic.UUID[0] = 1
		spec.Topics = append(spec.Topics, topic)
	}
	return spec
}

func comeAndGo(r *rand.Rand, step int, spec *Spec) {
	if n := len(spec.Members); n > 1 && r.IntN(2) == 0 {
		i := r.IntN(n)
		spec.Members = slices.Delete(spec.Members, i, i+1)
	}
	for i := range 1 + r.IntN(9) {
		m := Member{ID: fmt.Sprintf("member-%d-%d", step, i), Topics: subscription(r, spec.Topics, true)}
		if r.IntN(4) == 0 {
			m.InstanceID = fmt.Sprintf("instance-%d", 10*step+i)
		}
		spec.Members = append(spec.Members, m)
	}
}
