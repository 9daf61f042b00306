package coordinator

import (
	"slices"

	"groupscope/core/protocol"
	"groupscope/core/record"
)

// operation collects what one request or timer does to one group: records to
// be written and the decisions that led to them. Nothing changes until the
// records are written.
type operation struct {
	c       *Coordinator
	now     protocol.Instant
	group   *group
	records []record.Record
	said    []Decision
	stays   int    // how many decisions hold though the request is refused
	main    int    // index of the main decision
	weight  weight // of the main decision
}

// weight ranks decisions: the heaviest explains the outcome, the last one
// among equals.
type weight int8

const (
	aside  weight = iota // went before
	idle                 // the member is where it should be
	moved                // its epoch moved, what it holds did not
	noted                // something was told or kept, and moved nothing
	cause                // changed the group
	effect               // changed what the member holds or waits for
	rare                 // a rule that few requests meet, which others follow from
	final                // refused, removed
)

// news is the weight of what is told again and again, and is worth most the
// first time.
func news(first bool) weight {
	if first {
		return rare
	}
	return noted
}

// targetWeight is the weight of a target that is another one for that many members.
func targetWeight(changed int) weight {
	if changed == 0 {
		return noted
	}
	return cause
}

func (o *operation) say(w weight, rule, text string) {
	if w >= o.weight {
		o.main, o.weight = len(o.said), w
	}
	o.said = append(o.said, Decision{Rule: rule, Text: text})
}

// drop takes back what was said of what is not done.
func (o *operation) drop() {
	o.said = slices.Clip(o.said[:o.stays]) // the list may be one that idleWords keep
	o.main, o.weight = 0, aside
}

// decisions marks the main one.
func (o *operation) decisions() []Decision {
	for i := range o.said {
		if is := i == o.main; o.said[i].Main != is {
			o.said[i].Main = is
		}
	}
	return o.said
}

func (o *operation) key(t record.Type, member string) record.Key {
	return record.Key{Type: t, Group: o.group.ID, Member: member}
}

func (o *operation) put(t record.Type, member string, v record.Value) {
	o.records = append(o.records, record.Record{Key: o.key(t, member), Value: v})
}

// tombstones deletes a member: current assignment, target, metadata.
func (o *operation) tombstones(member string) {
	for _, t := range []record.Type{record.CurrentMemberAssignment, record.TargetAssignmentMember, record.MemberMetadata} {
		o.put(t, member, nil)
	}
}

// refuse answers with an error; whatever was prepared is dropped, and so is
// what was said of it.
func (o *operation) refuse(code protocol.ErrorCode, rule, text string) Result {
	o.drop()
	o.say(final, rule, text)
	return Result{
		Response:  protocol.ConsumerGroupHeartbeatResponse{Error: code, ErrorMessage: text},
		Decisions: o.decisions(),
	}
}
