package assignor

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/protocol"
)

// world is a group whose members come and go; its target is what the
// assignor gave last.
type world struct {
	t      *testing.T
	with   Assignor
	spec   Spec
	target map[string]protocol.Assignment
}

func newWorld(t *testing.T, with Assignor, topics ...protocol.Topic) *world {
	t.Helper()
	return &world{t: t, with: with, spec: Spec{Topics: topics, Homogeneous: true}, target: map[string]protocol.Assignment{}}
}

func topic(name string, partitions int32) protocol.Topic {
	return protocol.Topic{ID: protocol.TopicID(name), Name: name, Partitions: partitions}
}

func (w *world) join(id string, topics ...protocol.TopicID) {
	slices.Sort(topics)
	w.spec.Members = append(w.spec.Members, Member{ID: id, Topics: topics})
}

func (w *world) assign() {
	w.t.Helper()
	for i := range w.spec.Members {
		w.spec.Members[i].Target = w.target[w.spec.Members[i].ID]
	}
	out, err := w.with.Assign(w.spec)
	require.NoError(w.t, err)
	require.Len(w.t, out, len(w.spec.Members))
	w.target = map[string]protocol.Assignment{}
	for i, m := range w.spec.Members {
		require.NotNil(w.t, out[i])
		w.target[m.ID] = out[i]
	}
}

// text writes the target as "A foo [0, 1]; B foo [2]".
func (w *world) text() string {
	var out string
	for i, m := range w.spec.Members {
		if i > 0 {
			out += "; "
		}
		out += m.ID + " " + w.target[m.ID].String()
	}
	return out
}

func TestUniformKeepsPartitionsWhereTheyAreAsFarAsTheBalanceAllows(t *testing.T) {
	for _, test := range []struct {
		partitions int32
		want       []string
	}{
		{3, []string{"A foo [0, 1, 2]", "A foo [0, 1]; B foo [2]", "A foo [0]; B foo [2]; C foo [1]"}},
		{6, []string{"A foo [0, 1, 2, 3, 4, 5]", "A foo [0, 1, 2]; B foo [3, 4, 5]", "A foo [0, 1]; B foo [3, 4]; C foo [2, 5]"}},
	} {
		w := newWorld(t, Uniform{}, topic("foo", test.partitions))
		for i, id := range []string{"A", "B", "C"} {
			w.join(id, "foo")
			w.assign()
			assert.Equal(t, test.want[i], w.text())
		}
	}
}

func TestRangeMovesPartitionsWhenAMemberJoins(t *testing.T) {
	w := newWorld(t, Range{}, topic("foo", 3))
	w.join("A", "foo")
	w.join("B", "foo")
	w.assign()
	assert.Equal(t, "A foo [0, 1]; B foo [2]", w.text())
	w.join("C", "foo")
	w.assign()
	assert.Equal(t, "A foo [0]; B foo [1]; C foo [2]", w.text())
}

func TestRangeGivesTopicsOfOneSizeTheSameNumbers(t *testing.T) {
	w := newWorld(t, Range{}, topic("bar", 4), topic("foo", 4))
	for _, id := range []string{"A", "B", "C"} {
		w.join(id, "foo", "bar")
	}
	w.assign()
	assert.Equal(t, "A bar [0, 1], foo [0, 1]; B bar [2], foo [2]; C bar [3], foo [3]", w.text())
}

func TestRangePutsStaticMembersFirst(t *testing.T) {
	w := newWorld(t, Range{}, topic("foo", 3))
	w.spec.Members = []Member{
		{ID: "a", Topics: []protocol.TopicID{"foo"}},
		{ID: "z", InstanceID: "i1", Topics: []protocol.TopicID{"foo"}},
		{ID: "b", InstanceID: "i2", Topics: []protocol.TopicID{"foo"}},
	}
	w.assign()
	assert.Equal(t, "a foo [2]; z foo [0]; b foo [1]", w.text())
}

func TestAMemberWithoutAShareGetsAnEmptyAssignment(t *testing.T) {
	for _, a := range []Assignor{Uniform{}, Range{}} {
		w := newWorld(t, a, topic("foo", 1))
		w.join("A", "foo")
		w.assign()
		w.join("B", "foo")
		w.assign()
		assert.Equal(t, "A foo [0]; B nothing", w.text(), a.Name())
	}
}

// The broker's hint can be wrong; then one member's topics stand for all.
func TestAStaleHintMakesTheFirstMembersTopicsEverybodys(t *testing.T) {
	for _, a := range []Assignor{Uniform{}, Range{}} {
		w := newWorld(t, a, topic("bar", 2), topic("foo", 2))
		w.join("A", "foo")
		w.join("B", "bar")
		w.assign()
		assert.Equal(t, "A foo [0]; B foo [1]", w.text(), a.Name())
	}
}

func TestUniformGivesEachTopicToItsLeastLoadedSubscribers(t *testing.T) {
	w := newWorld(t, Uniform{}, topic("bar", 2), topic("foo", 4))
	w.spec.Homogeneous = false
	w.join("A", "foo")
	w.join("B", "foo", "bar")
	w.assign()
	assert.Equal(t, "A foo [0, 1, 2]; B bar [0, 1], foo [3]", w.text())
}

func TestAnAssignorIsFoundByItsName(t *testing.T) {
	for _, name := range Default() {
		a, ok := ByName(name)
		require.True(t, ok)
		assert.Equal(t, name, a.Name())
	}
	_, ok := ByName("sticky")
	assert.False(t, ok)
}

// randomWorld takes a group through joins, leaves and new topics.
func randomWorld(t *testing.T, a Assignor, seed uint64, homogeneous bool, check func(w *world, before map[string]protocol.Assignment)) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 1))
	w := newWorld(t, a)
	w.spec.Homogeneous = homogeneous
	for i := range 1 + r.IntN(4) {
		topic := topic(fmt.Sprintf("t%d", i), int32(1+r.IntN(9)))
		binary.BigEndian.PutUint64(topic.UUID[:8], r.Uint64())
		binary.BigEndian.PutUint64(topic.UUID[8:], r.Uint64())
		w.spec.Topics = append(w.spec.Topics, topic)
	}
	for step := range 12 {
		if len(w.spec.Members) > 1 && r.IntN(3) == 0 {
			w.spec.Members = slices.Delete(w.spec.Members, 0, 1)
		} else {
			w.join(fmt.Sprintf("m%d", step), subscription(r, w.spec.Topics, homogeneous)...)
		}
		before := w.target
		w.assign()
		if check(w, before); t.Failed() {
			t.Fatalf("seed %d, step %d: %s", seed, step, w.text())
		}
	}
}

func subscription(r *rand.Rand, topics []protocol.Topic, all bool) []protocol.TopicID {
	var out []protocol.TopicID
	for _, t := range topics {
		if all || r.IntN(2) == 0 {
			out = append(out, t.ID)
		}
	}
	return out
}

// checkCoverage: every partition somebody subscribes to has one owner, who
// subscribes to its topic; nothing else is given out.
func checkCoverage(w *world) {
	owners := map[protocol.Partition]string{}
	for _, m := range w.spec.Members {
		for _, p := range w.target[m.ID].Partitions() {
			assert.Empty(w.t, owners[p], "%s has one owner", p)
			owners[p] = m.ID
			assert.Contains(w.t, m.Topics, p.Topic, "%s subscribes to %s", m.ID, p)
		}
	}
	total := 0
	for _, topic := range w.spec.Topics {
		wanted := slices.ContainsFunc(w.spec.Members, func(m Member) bool { return slices.Contains(m.Topics, topic.ID) })
		if !wanted {
			continue
		}
		total += int(topic.Partitions)
		for n := range topic.Partitions {
			assert.NotEmpty(w.t, owners[protocol.Partition{Topic: topic.ID, Number: n}])
		}
	}
	assert.Len(w.t, owners, total)
}

func TestEveryPartitionHasExactlyOneSubscribedOwner(t *testing.T) {
	for _, a := range []Assignor{Uniform{}, Range{}} {
		for _, homogeneous := range []bool{true, false} {
			for seed := range uint64(60) {
				randomWorld(t, a, seed, homogeneous, func(w *world, _ map[string]protocol.Assignment) { checkCoverage(w) })
			}
		}
	}
}

func TestUniformSizesDifferByAtMostOneWhereAllSubscribeAlike(t *testing.T) {
	for seed := range uint64(60) {
		randomWorld(t, Uniform{}, seed, true, func(w *world, _ map[string]protocol.Assignment) {
			least, most := 1<<30, 0
			for _, m := range w.spec.Members {
				least, most = min(least, w.target[m.ID].Len()), max(most, w.target[m.ID].Len())
			}
			assert.LessOrEqual(w.t, most-least, 1)
		})
	}
}

// A partition moves only if its owner left, or had more than its share.
func TestUniformMovesNoMoreThanTheBalanceNeeds(t *testing.T) {
	for seed := range uint64(60) {
		randomWorld(t, Uniform{}, seed, true, func(w *world, before map[string]protocol.Assignment) {
			for _, m := range w.spec.Members {
				kept := 0
				for _, p := range before[m.ID].Partitions() {
					if w.target[m.ID].Contains(p) {
						kept++
					}
				}
				assert.Equal(w.t, min(before[m.ID].Len(), w.target[m.ID].Len()), kept, "%s keeps what it may", m.ID)
			}
		})
	}
}

func TestAssigningAgainChangesNothing(t *testing.T) {
	for _, a := range []Assignor{Uniform{}, Range{}} {
		for seed := range uint64(60) {
			randomWorld(t, a, seed, true, func(w *world, _ map[string]protocol.Assignment) {
				first := w.target
				w.assign()
				assert.Equal(w.t, first, w.target)
			})
		}
	}
}

// Subscriptions of which each contains the next: the balance is exact for
// the subscribers of every topic.
func TestUniformBalancesNestedSubscriptionsTopicByTopic(t *testing.T) {
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 2))
		w := newWorld(t, Uniform{}, topic("a", int32(1+r.IntN(20))), topic("b", int32(1+r.IntN(20))))
		w.spec.Homogeneous = false
		for i := range 2 + r.IntN(4) {
			w.join(fmt.Sprintf("m%d", i), []protocol.TopicID{"a", "b"}[:1+r.IntN(2)]...)
			w.assign()
		}
		checkCoverage(w)
		for _, topic := range w.spec.Topics {
			for _, from := range w.spec.Members {
				for _, to := range w.spec.Members {
					gives := slices.ContainsFunc(w.target[from.ID], func(tp protocol.TopicPartitions) bool { return tp.Topic == topic.ID })
					if gives && slices.Contains(to.Topics, topic.ID) {
						assert.LessOrEqual(t, w.target[from.ID].Len()-w.target[to.ID].Len(), 1, "seed %d: %s", seed, w.text())
					}
				}
			}
		}
	}
}
