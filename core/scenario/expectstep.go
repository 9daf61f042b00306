package scenario

import (
	"slices"
	"strconv"

	"groupscope/core/protocol"
	"groupscope/core/sim"
)

// heartbeats counts those that the coordinator answered in the step.
func (o *observed) heartbeats() string {
	n := 0
	for _, e := range o.events {
		if _, ok := e.What.(sim.Handled); ok {
			n++
		}
	}
	return strconv.Itoa(n)
}

// moved counts the partitions that the target gives to another member than it
// did before the step. A member that was restarted is the same one.
func (o *observed) moved() string {
	before, n := targetOf(o.before), 0
	for p, now := range targetOf(o.state) {
		if was, had := before[p]; had && was != now {
			n++
		}
	}
	return strconv.Itoa(n)
}

// targetOf says to whom the target gives each partition.
func targetOf(s *sim.State) map[protocol.Partition]string {
	out := map[protocol.Partition]string{}
	if s.Group == nil {
		return out
	}
	for _, m := range s.Group.Members {
		for _, p := range m.Target.Partitions() {
			out[p] = s.NameOf(m.ID)
		}
	}
	return out
}

// described reads what a tool was told: the partitions of each member that is
// named, those to be revoked counted in.
func (x *expecting) described(n *node) {
	if absent(n) {
		x.add("described", n, absentWord, func(o *observed) string {
			if d := o.description(); d != nil {
				return "a description"
			}
			return absentWord
		})
		return
	}
	if n.kind != mapping {
		x.wanted(n, "described is a mapping from members to what a tool is told that they have, {A: [foo-0]}")
		return
	}
	for _, e := range n.entries {
		name, ok := x.numberedMember(e.key)
		if !ok {
			continue
		}
		x.set("described."+name, e.value, func(o *observed) (protocol.Assignment, string) { return o.describedMember(name) })
	}
}

// description is the last one of the step, nil when there was none.
func (o *observed) description() *sim.Operated {
	for _, e := range slices.Backward(o.events) {
		if d, ok := e.What.(sim.Operated); ok && d.Operation == sim.Description {
			return &d
		}
	}
	return nil
}

func (o *observed) describedMember(name string) (protocol.Assignment, string) {
	d := o.description()
	switch {
	case d == nil:
		return nil, absentWord
	case d.Error != protocol.None:
		return nil, d.Error.String()
	}
	_, id := o.state.Named(name)
	for _, m := range d.Description.Members {
		if m.MemberID == id {
			return m.Assignment, ""
		}
	}
	return nil, absentWord
}
