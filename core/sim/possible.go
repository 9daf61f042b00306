package sim

import (
	"fmt"
	"slices"

	"groupscope/core/protocol"
)

// Refused is why an action cannot be carried out, and what could be done
// instead, in plain words.
type Refused struct {
	Action Action
	Reason string
}

// Error is the reason.
func (r *Refused) Error() string { return r.Reason }

// Possible is the *Refused with which Do would refuse an action, nil if it
// would carry it out.
func (w *World) Possible(a Action) error {
	if reason := w.refusal(a); reason != "" {
		return &Refused{a, reason}
	}
	return nil
}

func (w *World) refusal(a Action) string {
	switch a := a.(type) {
	case Run:
		return notBack(a.For < 0)
	case Advance:
		return notBack(a.For < 0)
	case Until:
		if at := w.start.Add(a.At); at < w.now {
			return fmt.Sprintf("%s is over: the clock stands at %s. Choose a later time.", a.At, w.now.Sub(w.start))
		}
		return ""
	case InternalTopics:
		return notBack(a.Creation.After != nil && *a.Creation.After < 0)
	case FailOver:
		return ""
	case SetTopics:
		return w.topicsRefusal(a)
	case BrokerError:
		return brokerErrorRefusal(a)
	case DeleteGroup, Cleanup, Describe:
		return ""
	case ResolveRegexes:
		if len(w.coordinator.Background()) == 0 {
			return "No regex waits to be resolved."
		}
		return ""
	case SetGroupConfig:
		return checkSettings(a.Settings)
	case SendRequest:
		return w.rawRefusal(a)
	case nil:
		return "There is nothing to do."
	}
	m := w.find(MemberOf(a))
	if m == nil {
		return fmt.Sprintf("The scenario has no member %s. Add it to the members first.", MemberOf(a))
	}
	return w.memberRefusal(m, a)
}

func notBack(negative bool) string {
	if negative {
		return "The clock cannot go back. Choose a time of 0 or more."
	}
	return ""
}

// The sizes that a world may grow to. Topics that were deleted count: who held
// their partitions is remembered.
const (
	MaxPartitions = 10_000 // of all topics together
	MaxTopics     = 1_000
	MaxMembers    = 1_000 // in the group at a time, those that crashed counted in until they are removed
)

func (w *World) topicsRefusal(a SetTopics) string {
	if a.Delay < 0 {
		return "A delay cannot be below 0."
	}
	partitions, topics := w.size()
	for _, t := range a.Topics {
		i, exists := slices.BinarySearchFunc(w.topics, t.Name, byName)
		switch {
		case t.Name == "":
			return "A topic needs a name."
		case t.Partitions < 0:
			return fmt.Sprintf("Topic %s cannot have %d partitions. Write 0 to delete it.", t.Name, t.Partitions)
		case !exists && t.Partitions == 0:
			return fmt.Sprintf("There is no topic %s to delete. Create it first, with 1 partition or more.", t.Name)
		case exists && t.Partitions > 0 && t.Partitions < w.topics[i].Partitions:
			return fmt.Sprintf("Topic %s has %d partitions, and a topic cannot lose any. Delete it and create it again.",
				t.Name, w.topics[i].Partitions)
		case exists:
			partitions += max(0, int(t.Partitions-w.topics[i].Partitions))
		default:
			partitions, topics = partitions+int(t.Partitions), topics+1
		}
	}
	switch {
	case partitions > MaxPartitions:
		return fmt.Sprintf("There would be %d partitions, those of deleted topics counted in: the limit is %d.", partitions, MaxPartitions)
	case topics > MaxTopics:
		return fmt.Sprintf("There would be %d topics, deleted ones counted in: the limit is %d.", topics, MaxTopics)
	}
	return ""
}

func brokerErrorRefusal(a BrokerError) string {
	switch {
	case a.Error == protocol.None:
		return "NONE is not an error."
	case a.For <= 0:
		return "A broker answers with an error for longer than 0."
	}
	return ""
}
