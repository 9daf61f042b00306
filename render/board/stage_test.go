package board_test

import (
	"slices"
	"strconv"
	"strings"

	"groupscope/core/coordinator"
	"groupscope/core/playback"
	"groupscope/core/protocol"
	"groupscope/core/record"
	"groupscope/core/sim"
)

// parts reads "foo 0 1, bar 2".
func parts(text string) []protocol.Partition {
	var out []protocol.Partition
	for _, t := range strings.Split(text, ",") {
		words := strings.Fields(t)
		if len(words) == 0 {
			continue
		}
		for _, n := range words[1:] {
			i, err := strconv.Atoi(n)
			if err != nil {
				panic(err)
			}
			out = append(out, protocol.Partition{Topic: protocol.TopicID(words[0]), Number: int32(i)})
		}
	}
	return out
}

func set(text string) protocol.Assignment { return protocol.NewAssignment(parts(text)) }

func held(text string, epoch int32) []record.Held {
	var out []record.Held
	for _, p := range parts(text) {
		out = append(out, record.Held{Partition: p, AssignmentEpoch: epoch})
	}
	return out
}

// member is a member of the books and its client, in one line.
type member struct {
	name                         string
	epoch                        int32
	has, pends, waits, free, aim string
	// own view: "" for has, "-" for nothing
	own, revokes, adds, client string
	clientEpoch                int32
	absent                     bool // a client that is to come
	removed                    bool // a client that is not in the books
	left                       protocol.Duration
}

const start = sim.DefaultStart

// stage is a state of group example with one line a member.
func stage(epoch int32, topics []protocol.Topic, members ...member) *sim.State {
	s := &sim.State{At: start, Start: start, GroupID: "example", Topics: topics, SessionTimeout: 45 * protocol.Second}
	g := &coordinator.Group{ID: "example", GroupEpoch: epoch, AssignmentEpoch: epoch, State: coordinator.Stable}
	for _, m := range members {
		c := &sim.ClientState{Member: m.name, ID: m.name, State: strings.ToUpper(m.client), Epoch: m.epoch}
		for _, t := range topics {
			c.Subscribed = append(c.Subscribed, t.Name)
		}
		s.Clients = append(s.Clients, c)
		if m.absent {
			c.State, c.Epoch, c.Subscribed = "ABSENT", 0, nil
			continue
		}
		if m.clientEpoch != 0 {
			c.Epoch = m.clientEpoch
		}
		if c.State == "" {
			c.State = "STABLE"
		}
		own := m.own
		if own == "" {
			own = m.has + "," + m.pends
		}
		if own != "-" {
			c.Owned = set(own)
		}
		c.Revoking, c.Adding = set(m.revokes), set(m.adds)
		if m.removed {
			continue
		}
		g.Members = append(g.Members, bookkeep(m, epoch))
		if len(m.pends+m.waits+m.free) > 0 || m.epoch != epoch {
			g.State = coordinator.Reconciling
		}
	}
	slices.SortFunc(g.Members, func(a, b *coordinator.Member) int { return strings.Compare(a.ID, b.ID) })
	if len(g.Members) > 0 {
		s.Group = g
	}
	s.Unowned = unowned(s)
	return s
}

func bookkeep(m member, epoch int32) *coordinator.Member {
	b := &coordinator.Member{
		ID: m.name, MemberEpoch: m.epoch, Assigned: held(m.has, m.epoch), PendingRevocation: held(m.pends, m.epoch),
		Waiting: parts(m.waits), Free: parts(m.free), Target: set(m.aim),
		RebalanceTimeout: 300 * protocol.Second,
	}
	if m.left == 0 {
		m.left = 45 * protocol.Second
	}
	b.SessionDeadline = start.Add(m.left)
	if m.pends != "" {
		b.State, b.RebalanceDeadline = record.UnrevokedPartitions, start.Add(300*protocol.Second)
	} else if m.waits+m.free != "" && m.epoch == epoch {
		b.State = record.UnreleasedPartitions
	}
	return b
}

func unowned(s *sim.State) []sim.Unowned {
	heldNow := map[protocol.Partition]bool{}
	if s.Group != nil {
		for _, m := range s.Group.Members {
			for _, h := range append(slices.Clone(m.Assigned), m.PendingRevocation...) {
				heldNow[h.Partition] = true
			}
		}
	}
	var out []sim.Unowned
	for _, t := range s.Topics {
		for n := range t.Partitions {
			if p := (protocol.Partition{Topic: t.ID, Number: n}); !heldNow[p] {
				out = append(out, sim.Unowned{Partition: p, Never: true})
			}
		}
	}
	return out
}

func topics(text string) []protocol.Topic {
	var out []protocol.Topic
	for _, t := range strings.Split(text, ",") {
		w := strings.Fields(t)
		n, _ := strconv.Atoi(w[1])
		out = append(out, protocol.Topic{ID: protocol.TopicID(w[0]), Name: w[0], Partitions: int32(n)})
	}
	return out
}

// step is a state and how it was reached.
type step struct {
	label  string
	state  *sim.State
	events []sim.Event
}

// frames makes the settled frames of some steps, and works out since when a
// partition has no owner.
func frames(steps ...step) []*playback.Frame {
	var out []*playback.Frame
	released := map[protocol.Partition]string{}
	for i, st := range steps {
		f := &playback.Frame{State: st.state, Events: st.events, Now: st.state.At, Age: playback.Settled, Rules: "kip",
			Stop: playback.Stop{Index: i, Label: st.label, Step: st.label, Say: ""}}
		if i > 0 {
			f.Before = steps[i-1].state
		}
		f.Changes = playback.Diff(f.Before, f.State, f.Events)
		for _, c := range f.Changes.Partitions {
			if c.Released() {
				released[c.Partition] = st.label
			}
		}
		here := map[protocol.Partition]string{}
		for p, l := range released {
			here[p] = l
		}
		for j := range st.state.Unowned {
			if u := &st.state.Unowned[j]; here[u.Partition] != "" {
				u.Never, u.Since = false, st.state.At
			}
		}
		f.ReleasedAt = func(p protocol.Partition) string { return here[p] }
		out = append(out, f)
	}
	return out
}

var sequence uint64

// beat is a heartbeat and its answer.
func beat(name string, epoch int32, owns string, answer int32, gets string) []sim.Event {
	req := protocol.ConsumerGroupHeartbeatRequest{MemberID: name, MemberEpoch: epoch}
	if owns != "" {
		req.TopicPartitions = set(strings.TrimPrefix(owns, "-"))
	}
	res := protocol.ConsumerGroupHeartbeatResponse{MemberID: name, MemberEpoch: answer}
	if gets != "" {
		res.Assignment = set(strings.TrimPrefix(gets, "-"))
	}
	sequence += 2
	return []sim.Event{
		{Seq: sequence, What: sim.Sent{Member: name, Request: req}},
		{Seq: sequence + 1, Cause: sequence, What: sim.Handled{Member: name, Request: req, Response: res}},
	}
}

// refused is a heartbeat that was answered with an error.
func refused(name string, epoch int32, code protocol.ErrorCode) []sim.Event {
	es := beat(name, epoch, "", 0, "")
	h := es[1].What.(sim.Handled)
	h.Response.Error = code
	es[1].What = h
	return es
}

// worked are the steps K0 to K13 of KIP-848's example, as far as a picture
// needs them.
func worked() []*playback.Frame {
	foo := topics("foo 3")
	ab, cc := member{name: "B", absent: true}, member{name: "C", absent: true}
	aa := member{name: "A", absent: true}
	return frames(
		step{"K0", stage(0, foo, aa, ab, cc), nil},
		step{"K1", stage(1, foo, member{name: "A", aim: "foo 0 1 2", free: "foo 0 1 2", client: "joining"}, ab, cc), beat("A", 0, "-", 0, "-")},
		step{"K2", stage(1, foo, member{name: "A", epoch: 1, has: "foo 0 1 2", aim: "foo 0 1 2", own: "-", adds: "foo 0 1 2", client: "reconciling"}, ab, cc), beat("A", 0, "-", 1, "foo 0 1 2")},
		step{"K3", stage(2, foo, member{name: "A", epoch: 1, has: "foo 0 1 2", aim: "foo 0 1", left: 28000},
			member{name: "B", aim: "foo 2", client: "joining"}, cc), beat("B", 0, "-", 0, "-")},
		step{"K4", stage(2, foo, member{name: "A", epoch: 1, has: "foo 0 1 2", aim: "foo 0 1", left: 26000},
			member{name: "B", epoch: 2, waits: "foo 2", aim: "foo 2"}, cc), beat("B", 0, "-", 2, "-")},
		step{"K5", stage(2, foo, member{name: "A", epoch: 1, has: "foo 0 1", pends: "foo 2", aim: "foo 0 1", revokes: "foo 2", client: "reconciling"},
			member{name: "B", epoch: 2, waits: "foo 2", aim: "foo 2", left: 32000}, cc), beat("A", 1, "", 1, "foo 0 1")},
		step{"K6", stage(2, foo, member{name: "A", epoch: 2, has: "foo 0 1", aim: "foo 0 1"},
			member{name: "B", epoch: 2, free: "foo 2", aim: "foo 2", left: 29000}, cc), beat("A", 1, "foo 0 1", 2, "")},
		step{"K7", stage(2, foo, member{name: "A", epoch: 2, has: "foo 0 1", aim: "foo 0 1", left: 42000},
			member{name: "B", epoch: 2, has: "foo 2", aim: "foo 2", own: "-", adds: "foo 2", client: "reconciling"}, cc), beat("B", 2, "", 2, "foo 2")},
		step{"K8", stage(3, foo, member{name: "A", epoch: 2, has: "foo 0 1", aim: "foo 0", left: 3900},
			member{name: "B", epoch: 2, has: "foo 2", aim: "foo 2"}, member{name: "C", aim: "foo 1", client: "joining"}), beat("C", 0, "-", 0, "-")},
		step{"K9", stage(3, foo, member{name: "A", epoch: 2, has: "foo 0 1", aim: "foo 0"},
			member{name: "B", epoch: 3, has: "foo 2", aim: "foo 2"}, member{name: "C", aim: "foo 1", client: "joining"}), beat("B", 2, "", 3, "")},
		step{"K10", stage(3, foo, member{name: "A", epoch: 2, has: "foo 0 1", aim: "foo 0"},
			member{name: "B", epoch: 3, has: "foo 2", aim: "foo 2"}, member{name: "C", epoch: 3, waits: "foo 1", aim: "foo 1"}), beat("C", 0, "-", 3, "-")},
		step{"K11", stage(3, foo, member{name: "A", epoch: 2, has: "foo 0", pends: "foo 1", revokes: "foo 1", client: "reconciling", aim: "foo 0"},
			member{name: "B", epoch: 3, has: "foo 2", aim: "foo 2"}, member{name: "C", epoch: 3, waits: "foo 1", aim: "foo 1"}), beat("A", 2, "", 2, "foo 0")},
		step{"K12", stage(3, foo, member{name: "A", epoch: 3, has: "foo 0", aim: "foo 0"},
			member{name: "B", epoch: 3, has: "foo 2", aim: "foo 2"}, member{name: "C", epoch: 3, free: "foo 1", aim: "foo 1"}), beat("A", 2, "foo 0", 3, "")},
		step{"K13", stage(3, foo, member{name: "A", epoch: 3, has: "foo 0", aim: "foo 0"},
			member{name: "B", epoch: 3, has: "foo 2", aim: "foo 2"}, member{name: "C", epoch: 3, has: "foo 1", aim: "foo 1", own: "-", adds: "foo 1", client: "reconciling"}), beat("C", 3, "", 3, "foo 1")},
	)
}

// fencedSteps: A goes on at epoch 1 and is removed.
func fencedSteps() []*playback.Frame {
	foo := topics("foo 3")
	cc := member{name: "C", absent: true}
	before := stage(2, foo, member{name: "A", epoch: 2, clientEpoch: 1, has: "foo 0 1", aim: "foo 0 1"}, member{name: "B", epoch: 2, has: "foo 2", aim: "foo 2"}, cc)
	after := stage(3, foo, member{name: "A", removed: true, own: "-", client: "joining"}, member{name: "B", epoch: 2, has: "foo 2", aim: "foo 2", left: 32000}, cc)
	after.Clients[0].LastError = protocol.FencedMemberEpoch
	after.Group.State, after.Group.AssignmentEpoch = coordinator.Assigning, 2
	return frames(step{"K7", before, nil}, step{"K8", after, refused("A", 1, protocol.FencedMemberEpoch)})
}

// violated: A keeps reading what B owns.
func violated() *playback.Frame {
	fs := worked()
	f := fs[7]
	s := *f.State
	a := *s.Clients[0]
	a.Owned = set("foo 0 1 2")
	b := *s.Clients[1]
	b.Owned, b.Adding = set("foo 2"), nil
	s.Clients = []*sim.ClientState{&a, &b, s.Clients[2]}
	s.Violations = []sim.Violation{{Invariant: "one reader", Text: "foo-2 is read by A and B", Partitions: parts("foo 2"), Members: []string{"A", "B"}}}
	f.State = &s
	f.Changes = playback.Diff(f.Before, f.State, f.Events)
	return f
}

// payments: six members, two topics of six partitions.
func payments() *playback.Frame {
	ts := topics("bar 6, foo 6")
	s := stage(5, ts,
		member{name: "A", epoch: 5, has: "foo 0, bar 0", aim: "foo 0, bar 0", left: 40500},
		member{name: "B", epoch: 3, has: "foo 2, bar 1", pends: "foo 3", revokes: "foo 3", client: "reconciling", aim: "foo 2, bar 1"},
		member{name: "C", epoch: 4, has: "foo 4, bar 2", pends: "bar 3", revokes: "bar 3", client: "reconciling", aim: "foo 4, bar 2"},
		member{name: "D", epoch: 5, has: "foo 5, bar 4", aim: "foo 5, bar 4", left: 22000},
		member{name: "E", epoch: 5, has: "foo 1", waits: "bar 3", aim: "foo 1, bar 3", left: 36000},
		member{name: "F", epoch: 5, waits: "foo 3", free: "bar 5", aim: "foo 3, bar 5", left: 14000},
	)
	s.GroupID = "payments"
	f := frames(step{"K21", s, nil})[0]
	for i := range s.Unowned {
		s.Unowned[i].Never = false
	}
	f.ReleasedAt = func(protocol.Partition) string { return "K20" }
	return f
}
