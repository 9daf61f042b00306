package scenario

import (
	"fmt"
	"slices"
	"strings"

	"groupscope/core/coordinator"
	"groupscope/core/protocol"
	"groupscope/core/record"
	"groupscope/core/sim"
)

// assignmentEpochs reads since which epoch a member has had each partition
// that is named.
func (x *expecting) assignmentEpochs(path, name string, n *node) {
	if n.kind != mapping {
		x.wanted(n, "assignment-epochs are a mapping from partitions to epochs, {foo-0: 2}")
		return
	}
	for _, e := range n.entries {
		read := x.partition
		if x.world.streams {
			read = x.task
		}
		p, ok := read(e.key)
		if !ok {
			continue
		}
		since := func(o *observed) string {
			m := o.member(name)
			if m == nil {
				return absentWord
			}
			for _, h := range slices.Concat(m.Assigned, m.PendingRevocation) {
				if h.Partition == p {
					return fmt.Sprint(h.AssignmentEpoch)
				}
			}
			return absentWord
		}
		if absent(e.value) {
			x.add(path+"."+e.key.text, e.value, absentWord, since)
			continue
		}
		x.epoch(path+"."+e.key.text, e.value, since)
	}
}

// calls reads which callbacks a client's application was called with in the
// step, in order.
func (x *expecting) calls(path, name string, n *node) {
	items, ok := x.names(n, "calls are a list of callbacks in order, ["+strings.Join(x.callbacksOf(), ", ")+"]")
	if !ok {
		return
	}
	var want []string
	for _, item := range items {
		word, known := x.oneOf(item, "callback", x.callbacksOf())
		ok = ok && known
		want = append(want, word)
	}
	if !ok {
		return
	}
	x.add(path, n, "["+strings.Join(want, ", ")+"]", func(o *observed) string {
		var got []string
		for _, e := range o.events {
			if c, ok := e.What.(sim.Called); ok && c.Member == name && !c.Done {
				got = append(got, c.What)
			}
		}
		return "[" + strings.Join(got, ", ") + "]"
	})
}

var (
	expectMemberKeys = []string{
		"epoch", "previous-epoch", "state", "owns", "revokes", "waits", "target", "assignment-epochs", "client",
	}
	expectClientKeys = []string{"epoch", "state", "owns", "revokes", "error", "calls"}
)

// clientStates are the words of sim.ClientState.
var clientStates = []string{
	"ABSENT", "CRASHED", "CLOSED", "UNSUBSCRIBED", "JOINING", "RECONCILING", "ACKNOWLEDGING", "STABLE",
	"PREPARE_LEAVING", "LEAVING", "FENCED", "STALE", "FATAL",
}

func memberStates(streams bool) []string {
	var out []string
	for _, s := range []record.MemberState{record.Stable, record.UnrevokedPartitions, record.UnreleasedPartitions} {
		out = append(out, memberState(s, streams))
	}
	return out
}

// numberedMember reads the name of a member, or that of one of its clients by
// number, such as A~1, or of somebody who sent a heartbeat without being one.
func (r *reader) numberedMember(n *node) (string, bool) {
	base, again, repeated := strings.Cut(n.text, "~")
	if slices.Contains(r.world.senders, n.text) {
		return n.text, true
	}
	if !repeated || n.kind != text {
		return r.member(n)
	}
	if strings.Trim(again, "0123456789") != "" || again == "" || again[0] == '0' {
		r.fault(n, "not a member: "+quoted(n.text), "A's clients are numbered, A~1 is the first")
		return "", false
	}
	_, ok := r.member(&node{kind: text, at: n.at, text: base})
	return n.text, ok
}

func (x *expecting) members(n *node) {
	if n.kind != mapping {
		x.wanted(n, "members is a mapping, {A: {epoch: 1}, B: absent}")
		return
	}
	for _, e := range n.entries {
		if name, ok := x.numberedMember(e.key); ok {
			x.oneMember(name, e.value)
		}
	}
}

func (x *expecting) oneMember(name string, n *node) {
	path := "members." + name
	of := func(field func(m *coordinator.Member) string) func(o *observed) string {
		return func(o *observed) string {
			if m := o.member(name); m != nil {
				return field(m)
			}
			return absentWord
		}
	}
	if absent(n) {
		x.add(path, n, absentWord, of(func(m *coordinator.Member) string {
			return fmt.Sprintf("in the group, at epoch %d", m.MemberEpoch)
		}))
		return
	}
	what, keys := "a member is {epoch: 1, owns: [foo-0]}, or absent", expectMemberKeys
	if x.world.streams {
		what, keys = "a member is {epoch: 1, owns: [0_0]}, or absent", slices.Concat(expectMemberKeys, streamsMemberKeys)
	}
	if !x.mapping(n, what, keys) {
		return
	}
	state := func(m *coordinator.Member) string { return memberState(m.State, x.world.streams) }
	for _, e := range n.entries {
		v, path := e.value, path+"."+e.key.text
		switch e.key.text {
		case "epoch":
			x.epoch(path, v, of(func(m *coordinator.Member) string { return fmt.Sprint(m.MemberEpoch) }))
		case "state":
			if absent(v) {
				x.add(path, v, absentWord, of(state))
				continue
			}
			x.word(path, v, "member state", memberStates(x.world.streams), of(state))
		case "previous-epoch":
			x.epoch(path, v, of(func(m *coordinator.Member) string { return fmt.Sprint(m.PreviousMemberEpoch) }))
		case "assignment-epochs":
			x.assignmentEpochs(path, name, v)
		case "client":
			x.client(name, v)
		case "topology-epoch", "endpoint-epoch":
			x.epoch(path, v, of(streamsMemberEpochs[e.key.text]))
		default:
			x.held(name, path, e)
		}
	}
}

// held reads owns, revokes, waits and target.
func (x *expecting) held(name, path string, e entry) {
	sets := map[string]func(m *coordinator.Member) protocol.Assignment{
		"owns": func(m *coordinator.Member) protocol.Assignment {
			return protocol.NewAssignment(record.Partitions(m.Assigned))
		},
		"revokes": func(m *coordinator.Member) protocol.Assignment {
			return protocol.NewAssignment(record.Partitions(m.PendingRevocation))
		},
		"waits":  func(m *coordinator.Member) protocol.Assignment { return protocol.NewAssignment(m.Waiting) },
		"target": func(m *coordinator.Member) protocol.Assignment { return m.Target },
	}
	set, known := sets[e.key.text]
	if !known {
		set, known = streamsSets[e.key.text]
	}
	if !known {
		return // reported with the shape
	}
	if e.key.text == "target" && absent(e.value) {
		x.add(path, e.value, absentWord, func(o *observed) string {
			if m := o.member(name); m != nil && m.Target != nil {
				return listed(m.Target, x.world.nameOf)
			}
			return absentWord
		})
		return
	}
	x.set(path, e.value, func(o *observed) (protocol.Assignment, string) {
		m := o.member(name)
		if m == nil {
			return nil, absentWord
		}
		return set(m), ""
	})
}

// client reads what the member's client is expected to believe.
func (x *expecting) client(name string, n *node) {
	path := "members." + name + ".client"
	keys := expectClientKeys
	if x.world.streams {
		keys = slices.Concat(keys, streamsClientKeys)
	}
	if !x.mapping(n, "client is {epoch: 1, state: STABLE, owns: [foo-0]}", keys) {
		return
	}
	of := func(field func(c *sim.ClientState) string) func(o *observed) string {
		return func(o *observed) string {
			if c := o.client(name); c != nil {
				return field(c)
			}
			return absentWord
		}
	}
	sets := map[string]func(c *sim.ClientState) protocol.Assignment{
		"owns":    func(c *sim.ClientState) protocol.Assignment { return c.Owned },
		"revokes": func(c *sim.ClientState) protocol.Assignment { return c.Revoking },
		"standby": func(c *sim.ClientState) protocol.Assignment { return streamsClient(c).Standby },
		"warmup":  func(c *sim.ClientState) protocol.Assignment { return streamsClient(c).Warmup },
	}
	for _, e := range n.entries {
		v, path := e.value, path+"."+e.key.text
		switch e.key.text {
		case "epoch":
			x.epoch(path, v, of(func(c *sim.ClientState) string { return fmt.Sprint(c.Epoch) }))
		case "state":
			x.word(path, v, "client state", clientStates, of(func(c *sim.ClientState) string { return c.State }))
		case "error":
			if code, ok := x.errorCode(v); ok {
				x.add(path, v, code.String(), of(func(c *sim.ClientState) string { return c.LastError.String() }))
			}
		case "calls":
			x.calls(path, name, v)
		case "status":
			x.status(path, v, of(func(c *sim.ClientState) string { return statusList(streamsClient(c).Status) }))
		case "topology-epoch":
			x.epoch(path, v, of(func(c *sim.ClientState) string { return fmt.Sprint(streamsClient(c).TopologyEpoch) }))
		case "endpoint-epoch":
			x.epoch(path, v, of(func(c *sim.ClientState) string { return fmt.Sprint(streamsClient(c).EndpointEpoch) }))
		default:
			set, known := sets[e.key.text]
			if !known {
				continue // reported with the shape
			}
			x.set(path, v, func(o *observed) (protocol.Assignment, string) {
				c := o.client(name)
				if c == nil {
					return nil, absentWord
				}
				return set(c), ""
			})
		}
	}
}
