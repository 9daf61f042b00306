package sim

import (
	"slices"

	"groupscope/core/client"
	"groupscope/core/coordinator"
	"groupscope/core/protocol"
)

// view is the read model last made, and what it was made from.
type view struct {
	state   *State
	stale   bool
	topics  int                   // grows when the topics change
	checked []*coordinator.Member // those that agree with the ledger
	unowned unownedView
}

// unownedView is the list of partitions without a holder, and what it
// depends on.
type unownedView struct {
	list    []Unowned
	version uint64 // of the ledger
	topics  int
	names   []string         // the topics that somebody subscribes to, sorted
	tasks   []protocol.Topic // of a streams group: its subtopologies, by how many tasks they have
}

// State is the read model of the world. While nothing changes, the same value
// is returned.
func (w *World) State() *State {
	if w.view.state != nil && !w.view.stale {
		return w.view.state
	}
	s := &State{
		At: w.now, Start: w.start, GroupID: w.groupID, SessionTimeout: w.sessionTimeout(),
		Topics: w.topics, Clients: w.clients(), Flying: w.flying(),
		Log: w.log.Len(), Seq: w.events,
		Violations: w.violations, Topologies: slices.Clip(w.ledger.topologies), Refusing: w.creation.Refused,
	}
	s.Resolving, s.Settings = w.background.at, w.groupConfig
	if w.now < w.broken.until {
		s.Broken = &BrokerState{w.broken.code, w.broken.until}
	}
	if g, ok := w.coordinator.Group(w.groupID); ok && w.topology != nil && g.Type != coordinator.StreamsType {
		s.Other = g
	} else if ok {
		s.Group, s.TargetDue = g, w.coordinator.TargetDue(w.groupID)
	}
	s.Tasks = w.tasks(s.Group)
	if text := w.ledger.mismatch(s.Group, w.view.checked); text != "" {
		s.Violations = append(slices.Clone(s.Violations), Violation{Invariant: invariantLog, Text: text, Since: w.now})
		w.view.checked = nil
	} else if s.Group != nil {
		w.view.checked = s.Group.Members
	}
	s.Unowned = w.unowned(s)
	w.view.state, w.view.stale = s, false
	return s
}

// clients are the read models of all clients; the slice is that of the state
// before if none of them changed.
func (w *World) clients() []*ClientState {
	changed := w.view.state == nil
	for i := range w.members {
		if m := &w.members[i]; m.view == nil || w.restores(m) {
			v := w.clientState(m)
			m.view, changed = &v, true
		}
	}
	if !changed {
		return w.view.state.Clients
	}
	out := make([]*ClientState, len(w.members))
	for i := range w.members {
		out[i] = w.members[i].view
	}
	return out
}

// clientState is what a client believes now.
func (w *World) clientState(m *member) ClientState {
	s := ClientState{
		Member: m.setup.Name, ID: m.id(), State: m.state().String(),
		Subscribed: m.setup.Subscribe, Regex: m.setup.Regex, InstanceID: m.setup.InstanceID,
		Owned: protocol.Assignment{}, Revoking: protocol.Assignment{}, Adding: protocol.Assignment{},
		CutOffTill: m.faults.cutOff,
	}
	if w.topology != nil {
		w.streamsState(m, &s)
	}
	if m.client == nil {
		return s
	}
	for _, q := range m.made.Quirks {
		s.Quirks = append(s.Quirks, q.String())
	}
	s.Epoch, s.Owned = m.client.Epoch(), m.client.Owned()
	if w.topology == nil {
		s.Subscribed, s.Regex = m.client.Subscription().Topics, m.client.Subscription().Pattern
	}
	s.LastError = m.client.LastError()
	if !m.running() {
		return s
	}
	s.Revoking, s.Adding = m.client.Pending()
	s.InFlight = m.client.InFlight()
	s.NextHeartbeat = m.client.NextHeartbeat()
	if m.client.Paused() {
		s.PausedTill = w.agendas[m.index].resume.at
	}
	return s
}

// clientThen is what a client believed at a transition; last says that it
// still stands there.
func (w *World) clientThen(m *member, c client.Changed, last bool) ClientState {
	s := w.clientState(m)
	s.State, s.Epoch, s.Owned = c.State.String(), c.Epoch, c.Owned
	if s.Streams != nil {
		s.Streams.Standby, s.Streams.Warmup = c.Standby, c.Warmup
		if c.State == client.Unsubscribed || c.State == client.Closed || c.State == client.Crashed {
			// What its application took up last, which it has given up since.
			s.Owned, s.Streams.Standby, s.Streams.Warmup = protocol.Assignment{}, protocol.Assignment{}, protocol.Assignment{}
		}
	}
	if last {
		return s
	}
	s.Revoking, s.Adding = protocol.Assignment{}, protocol.Assignment{}
	if s.Streams != nil {
		s.Streams.RevokingStandby, s.Streams.RevokingWarmup = s.Revoking, s.Revoking
		s.Streams.AddingStandby, s.Streams.AddingWarmup = s.Adding, s.Adding
	}
	return s
}

// flying are the messages on their way, by arrival.
func (w *World) flying() []Message {
	if len(w.queue) == 0 {
		return nil
	}
	parcels := slices.Clone(w.queue)
	slices.SortFunc(parcels, func(a, b *parcel) int {
		if a.before(b) {
			return -1
		}
		return 1
	})
	out := make([]Message, len(parcels))
	for i, p := range parcels {
		out[i] = Message{
			Member: w.members[p.member].setup.Name, Response: p.response,
			Epoch: p.request.MemberEpoch, SentAt: p.sentAt, Arrives: p.at, Lost: p.lost, Event: p.event,
		}
		if p.response {
			out[i].Epoch, out[i].Error = p.answer.MemberEpoch, p.answer.Error
		}
	}
	return out
}

// unowned are the partitions that nobody holds, of the topics that a member
// of the group or a client subscribes to.
func (w *World) unowned(s *State) []Unowned {
	g := s.Group
	if g != nil && g.Classic != nil {
		return nil // who has what is between its members
	}
	if w.topology != nil {
		return w.unownedTasks(s.Tasks)
	}
	v := &w.view.unowned
	names := w.subscribed(g)
	if v.version == w.ledger.version && v.topics == w.view.topics && slices.Equal(v.names, names) {
		return v.list
	}
	var topics []protocol.Topic
	for _, t := range w.topics {
		if _, subscribed := slices.BinarySearch(names, t.Name); subscribed {
			topics = append(topics, t)
		}
	}
	*v = unownedView{list: w.ledger.unowned(topics), version: w.ledger.version, topics: w.view.topics, names: names}
	return v.list
}

// subscribed are the topics that somebody subscribes to, sorted. A client
// that crashed, or that has not been started yet, counts: it would read them.
func (w *World) subscribed(g *coordinator.Group) []string {
	names := subscribedBy(g)
	for i := range w.members {
		if m := &w.members[i]; m.client != nil {
			names = with(names, m.client.Subscription().Topics)
		} else {
			names = with(names, m.setup.Subscribe)
		}
	}
	return names
}

// subscribedBy are the topics that a member of the group subscribes to, by
// name or by a regex that is resolved, sorted.
func subscribedBy(g *coordinator.Group) []string {
	if g == nil {
		return nil
	}
	var names []string
	for _, m := range g.Members {
		names = with(names, m.SubscribedTopicNames)
		for _, r := range g.ResolvedRegexes {
			if r.Regex == m.SubscribedTopicRegex {
				names = with(names, r.Topics)
			}
		}
	}
	return names
}

// with adds names to a sorted list.
func with(names, more []string) []string {
	for _, name := range more {
		if i, known := slices.BinarySearch(names, name); !known {
			names = slices.Insert(names, i, name)
		}
	}
	return names
}
