package sim

import (
	"cmp"
	"slices"

	"groupscope/core/protocol"
)

// Creation is how the broker creates the internal topics that the coordinator
// asks for. The zero value is DefaultCreation after the answer in run and at,
// and at once by hand.
type Creation struct {
	Refused bool
	After   *protocol.Duration // by hand too
}

// DefaultCreation is how long a broker takes to create internal topics.
const DefaultCreation = 50 * protocol.Millisecond

// InternalTopics changes how the broker creates internal topics, from the next
// answer on.
type InternalTopics struct{ Creation Creation }

func (InternalTopics) member() string { return "" }

// creation is what is set, and the topics that are being created, in the
// order of their coming.
type creation struct {
	Creation
	under []topicsUnderWay
}

type topicsUnderWay struct {
	slot
	topics []protocol.Topic
	cause  uint64 `canon:"-"` // the event of the answer that asked for them
}

// createInternal has the broker create what an answer asked for, unless it is
// being created already.
func (w *World) createInternal(x *StreamsExchange, event uint64) {
	if x == nil || len(x.Creatable) == 0 || w.creation.Refused {
		return
	}
	next := topicsUnderWay{cause: event}
	for _, c := range x.Creatable {
		if !w.creation.has(c.Name) {
			next.topics = append(next.topics, protocol.Topic{Name: c.Name, Partitions: c.Partitions})
		}
	}
	if len(next.topics) == 0 {
		return
	}
	after := DefaultCreation
	if w.byHand {
		after = 0
	}
	if w.creation.After != nil {
		after = *w.creation.After
	}
	next.slot = slot{w.now.Add(after), w.next()}
	i, _ := slices.BinarySearchFunc(w.creation.under, next, func(a, b topicsUnderWay) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.order, b.order))
	})
	w.creation.under = slices.Insert(slices.Clip(w.creation.under), i, next)
	if w.byHand && after == 0 {
		w.topicsCreated()
	}
}

func (c *creation) has(topic string) bool {
	return slices.ContainsFunc(c.under, func(u topicsUnderWay) bool {
		return slices.ContainsFunc(u.topics, func(t protocol.Topic) bool { return t.Name == topic })
	})
}

// topicsCreated is that the next internal topics are there. Those that
// somebody created meanwhile stay as they are.
func (w *World) topicsCreated() {
	due := w.creation.under[0]
	w.creation.under = w.creation.under[1:]
	var created []protocol.Topic
	var names []string
	for _, t := range due.topics {
		if _, exists := slices.BinarySearchFunc(w.topics, t.Name, byName); !exists {
			created, names = append(created, t), append(names, t.Name)
		}
	}
	if len(created) == 0 {
		return
	}
	w.cause = due.cause
	w.changeTopics(SetTopics{Topics: created}, names)
}
