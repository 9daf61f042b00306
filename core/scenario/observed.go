package scenario

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"groupscope/core/coordinator"
	"groupscope/core/protocol"
	"groupscope/core/sim"
)

// observed is what expectations may look at: the state after a step, and what
// happened in it.
type observed struct {
	before *sim.State // the step
	state  *sim.State
	events []sim.Event
	// longest is for how long, so far, one partition had no owner after it
	// once had one.
	longest   protocol.Duration
	longestOf protocol.Partition
}

// reply is an answer of the coordinator: to a heartbeat, or to another request.
type reply struct {
	member     string // "" for an operator
	error      protocol.ErrorCode
	heartbeat  bool
	epoch      int32
	assignment protocol.Assignment
}

// reply is the last answer of the step, nil when there was none.
func (o *observed) reply() *reply {
	for _, e := range slices.Backward(o.events) {
		switch what := e.What.(type) {
		case sim.Handled:
			return &reply{what.Member, what.Response.Error, true, what.Response.MemberEpoch, what.Response.Assignment}
		case sim.Operated:
			if what.Operation.Answers() {
				return &reply{member: what.Member, error: what.Error}
			}
		}
	}
	return nil
}

// handled is the last heartbeat that the coordinator answered in the step.
func (o *observed) handled() *sim.Handled {
	for _, e := range slices.Backward(o.events) {
		if h, ok := e.What.(sim.Handled); ok {
			return &h
		}
	}
	return nil
}

// answer describes the last answer, "absent" when there was none.
func (o *observed) answer() string {
	switch r := o.reply(); {
	case r == nil:
		return absentWord
	case r.error != protocol.None || !r.heartbeat:
		return r.error.String()
	default:
		return "epoch " + strconv.Itoa(int(r.epoch))
	}
}

func (o *observed) answered() string {
	if r := o.reply(); r != nil && r.member != "" {
		return r.member
	}
	return absentWord
}

func (o *observed) answerError() string {
	if r := o.reply(); r != nil {
		return r.error.String()
	}
	return absentWord
}

func (o *observed) answerEpoch() string {
	r := o.reply()
	if r == nil || r.error != protocol.None || !r.heartbeat {
		return o.answer()
	}
	return strconv.Itoa(int(r.epoch))
}

// answerSet is the assignment of the last answer; the second value says what
// there was instead of one.
func (o *observed) answerSet() (protocol.Assignment, string) {
	r := o.reply()
	switch {
	case r == nil || r.error != protocol.None || !r.heartbeat:
		return nil, o.answer()
	case r.assignment == nil:
		return nil, absentWord
	}
	return r.assignment, ""
}

func (o *observed) answerAssignment() string {
	set, other := o.answerSet()
	if other != "" {
		return other
	}
	return listed(set, protocol.Partition.String)
}

// written lists the records of the step, in order.
func (o *observed) written() string {
	var out []string
	for _, e := range o.events {
		for _, rec := range e.Written() {
			out = append(out, rec.Short())
		}
	}
	return "[" + strings.Join(out, ", ") + "]"
}

func (o *observed) groupThere() string {
	if g := o.state.Group; g != nil {
		return "a group at epoch " + strconv.Itoa(int(g.GroupEpoch))
	}
	return absentWord
}

// groupType is that of the group that has the id, in a streams group's place
// as well.
func (o *observed) groupType() string {
	if g := cmp.Or(o.state.Group, o.state.Other); g != nil {
		return g.Type.String()
	}
	return absentWord
}

func (o *observed) groupEpoch() string {
	if g := o.state.Group; g != nil {
		return strconv.Itoa(int(g.GroupEpoch))
	}
	return absentWord
}

func (o *observed) targetEpoch() string {
	if g := o.state.Group; g != nil {
		return strconv.Itoa(int(g.AssignmentEpoch))
	}
	return absentWord
}

func (o *observed) groupState() string {
	if g := o.state.Group; g != nil {
		return g.State.String()
	}
	return absentWord
}

// client finds the client that goes by a name; nil for a member that an
// earlier one left behind.
func (o *observed) client(name string) *sim.ClientState {
	c, _ := o.state.Named(name)
	return c
}

// member finds what the coordinator holds of a member: a name means the
// present client's, A~1 what the first one left behind.
func (o *observed) member(name string) *coordinator.Member {
	if o.state.Group == nil {
		return nil
	}
	_, id := o.state.Named(name)
	for _, m := range o.state.Group.Members {
		if m.ID == id {
			return m
		}
	}
	return nil
}

func (o *observed) unownedSet() (protocol.Assignment, string) {
	ps := make([]protocol.Partition, len(o.state.Unowned))
	for i, u := range o.state.Unowned {
		ps[i] = u.Partition
	}
	return protocol.NewAssignment(ps), ""
}

func (o *observed) violated() string {
	var names []string
	for _, v := range o.state.Violations {
		names = append(names, v.Invariant)
	}
	slices.Sort(names)
	return "[" + strings.Join(slices.Compact(names), ", ") + "]"
}
