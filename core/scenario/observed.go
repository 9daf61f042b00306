package scenario

import (
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
	state  *sim.State
	events []sim.Event
	// longest is for how long, so far, one partition had no owner after it
	// once had one.
	longest   protocol.Duration
	longestOf protocol.Partition
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
	h := o.handled()
	switch {
	case h == nil:
		return absentWord
	case h.Response.Error != protocol.None:
		return h.Response.Error.String()
	}
	return "epoch " + strconv.Itoa(int(h.Response.MemberEpoch))
}

func (o *observed) answered() string {
	if h := o.handled(); h != nil {
		return h.Member
	}
	return absentWord
}

func (o *observed) answerError() string {
	if h := o.handled(); h != nil {
		return h.Response.Error.String()
	}
	return absentWord
}

func (o *observed) answerEpoch() string {
	h := o.handled()
	if h == nil || h.Response.Error != protocol.None {
		return o.answer()
	}
	return strconv.Itoa(int(h.Response.MemberEpoch))
}

// answerSet is the assignment of the last answer; the second value says what
// there was instead of one.
func (o *observed) answerSet() (protocol.Assignment, string) {
	h := o.handled()
	switch {
	case h == nil || h.Response.Error != protocol.None:
		return nil, o.answer()
	case h.Response.Assignment == nil:
		return nil, absentWord
	}
	return h.Response.Assignment, ""
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
		switch what := e.What.(type) {
		case sim.Handled:
			for _, rec := range what.Records {
				out = append(out, rec.Short())
			}
		case sim.Expired:
			for _, rec := range what.Records {
				out = append(out, rec.Short())
			}
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
