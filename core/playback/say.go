package playback

import (
	"fmt"
	"slices"
	"strings"

	"groupscope/core/coordinator"
	"groupscope/core/prose"
	"groupscope/core/protocol"
	"groupscope/core/record"
	"groupscope/core/sim"
)

// moment is what lies between two stops.
type moment struct {
	before *sim.State // nil before the first stop
	after  *sim.State
	events []sim.Event
	idle   int // heartbeats that changed nothing and are not among the events
}

// say finds one or two sentences for a stop that has none of the author's.
func (m *moment) say() string {
	const most = 2
	var said []string
	var ranks []int
	l := newLedger(m.before)
	for _, e := range m.events {
		if s := m.sayEvent(e, l); s != "" && !slices.Contains(said, s) {
			said, ranks = append(said, s), append(ranks, rankOf(e))
		}
	}
	for len(said) > 0 {
		worst := 0
		for i, r := range ranks {
			if r >= ranks[worst] {
				worst = i
			}
		}
		// What a client's application is told follows from what the
		// coordinator decided, and needs words only where it stands alone.
		if len(said) <= most && !(ranks[worst] == toldRank && slices.Min(ranks) < toldRank) {
			return strings.Join(said, " ")
		}
		said, ranks = slices.Delete(said, worst, worst+1), slices.Delete(ranks, worst, worst+1)
	}
	return m.saySilence()
}

// The order in which events deserve words.
const (
	decidedRank = iota
	doneRank
	failedRank
	toldRank
)

func rankOf(e sim.Event) int {
	switch what := e.What.(type) {
	case sim.Handled, sim.Expired, sim.Operated, sim.FailedOver, sim.Violated:
		if isIdle(e) {
			return failedRank
		}
		return decidedRank
	case sim.Acted:
		return doneRank
	case sim.Called:
		if what.Failed {
			return failedRank
		}
		return toldRank
	}
	return failedRank
}

// sayEvent is "" for events that are told by the ones they lead to.
func (m *moment) sayEvent(e sim.Event, l *ledger) string {
	switch what := e.What.(type) {
	case sim.Acted:
		return m.sayAct(what.Action)
	case sim.Operated:
		return sayOperated(what)
	case sim.Sent:
		if what.Lost {
			return own(what.Member) + " heartbeat is lost on the way."
		}
	case sim.Handled:
		return m.sayHandled(what, l)
	case sim.Expired:
		return m.sayExpired(what, l)
	case sim.Received:
		if what.Failure != "" {
			return fmt.Sprintf("%s gets no answer: %s.", what.Member, failure(what.Failure))
		}
	case sim.Called:
		return sayCalled(what)
	case sim.ClientChanged:
		if what.Client.State == "FENCED" {
			return fmt.Sprintf("%s learns that it is fenced and stops reading.", what.Client.Member)
		}
	case sim.Raised:
		return sayRaised(what)
	case sim.ThreadEnded:
		return sayThreadEnded(what)
	case sim.TopicsLearnt:
		return "Clients learn which topics there are now."
	case sim.FailedOver:
		return fmt.Sprintf("The coordinator fails over. The new one reads %s.", count(what.Records, "record"))
	case sim.Violated:
		return "An invariant is broken: " + strings.TrimSuffix(what.Violation.Text, ".") + "."
	}
	return ""
}

// sayAct leaves out the actions that other events tell better: what a client
// sends, and time that passes.
func (m *moment) sayAct(a sim.Action) string {
	if _, moves := a.(sim.FailOver); moves || sends(a) || passesTime(a) {
		return ""
	}
	return sentence(phrase(a))
}

func (m *moment) sayHandled(h sim.Handled, l *ledger) string {
	s := m.handledCore(h, l)
	switch {
	case s == "":
	case h.Again:
		s = own(h.Member) + " request arrives a second time. " + s
	case h.ResponseLost:
		s += " The answer is lost."
	}
	return s
}

func (m *moment) handledCore(h sim.Handled, l *ledger) string {
	id := h.Request.MemberID
	before, had := l.current[id]
	others := l.backups[id]
	known := l.known[id]
	effect := effectOf(h.Records)
	for _, r := range h.Records {
		l.tell(r)
	}
	switch {
	case h.Classic != nil:
		return sayClassic(h, effect)
	case h.Response.Error != protocol.None:
		if known && effect.gone {
			return fmt.Sprintf("%s is refused with %s and removed from the group.", h.Member, h.Response.Error)
		}
		return fmt.Sprintf("%s is refused with %s.", h.Member, h.Response.Error)
	case h.Request.MemberEpoch == protocol.EpochLeaving:
		return h.Member + " leaves" + effect.group() + "."
	case h.Request.MemberEpoch == protocol.EpochStaticAbsent:
		return h.Member + " goes away for a while; its place is kept."
	case h.Idle:
		return h.Member + " heartbeats and nothing changes."
	}
	var clauses []string
	tail := ""
	if !known && effect.current != nil && l.known[id] {
		clauses = append(clauses, "joins")
		if effect.epoch >= 0 {
			tail = fmt.Sprintf(", and the group moves to epoch %d", effect.epoch)
		}
	}
	if effect.current != nil {
		clauses = append(clauses, l.assignmentClauses(moveOf(before, *effect.current, had), *effect.current, known)...)
		clauses = append(clauses, effect.backups.changes(others)...)
	}
	switch {
	case len(clauses) > 0:
		return fmt.Sprintf("%s %s%s.", h.Member, prose.And(clauses), tail)
	case effect.target >= 0:
		return fmt.Sprintf("%s heartbeats, and the target for epoch %d is computed.", h.Member, effect.target)
	case effect.epoch >= 0:
		return fmt.Sprintf("%s heartbeats, and the group moves to epoch %d.", h.Member, effect.epoch)
	case len(h.Records) > 0:
		return fmt.Sprintf("%s heartbeats. A record is written, nothing else changes.", h.Member)
	case h.Answer() != nil && len(h.Answer().PartitionsByUserEndpoint) > 0:
		return fmt.Sprintf("%s is told which instance runs which task.", h.Member)
	case h.Answer() != nil && len(h.Answer().Status) > 0:
		return fmt.Sprintf("%s is told %s.", h.Member, strings.TrimPrefix(statusWords(h.Answer().Status), ", "))
	}
	return fmt.Sprintf("%s heartbeats with epoch %d and is answered %s.", h.Member, h.Request.MemberEpoch, answer(h.Response, h.Answer()))
}

// assignmentClauses are what happens to the member, as verbs.
func (l *ledger) assignmentClauses(m move, after record.CurrentMemberAssignmentValue, known bool) []string {
	var out []string
	say := func(verb string, ps []protocol.Partition) {
		if len(ps) > 0 {
			out = append(out, verb+" "+l.list(ps))
		}
	}
	say("lets go of", m.gone)
	if m.epoch && known {
		out = append(out, fmt.Sprintf("moves to epoch %d", after.MemberEpoch))
	}
	say("gets", m.gets)
	say("is asked to give up", m.drops)
	if m.epoch {
		say("waits for", m.wait)
	}
	return out
}

// effect is what records did to the group and to the requesting member.
type effect struct {
	epoch, target int32 // the new ones, -1 for none
	current       *record.CurrentMemberAssignmentValue
	backups       backups
	gone          bool
}

func effectOf(rs []record.Record) effect {
	out := effect{epoch: -1, target: -1}
	for _, r := range rs {
		switch v := r.Value.(type) {
		case record.GroupMetadataValue:
			out.epoch = v.Epoch
		case record.StreamsGroupMetadataValue:
			out.epoch = v.Epoch
		case record.TargetAssignmentMetadataValue:
			out.target = v.AssignmentEpoch
		case record.StreamsTargetAssignmentMetadataValue:
			out.target = v.AssignmentEpoch
		case nil:
			out.gone = out.gone || r.Key.Type == record.MemberMetadata || r.Key.Type == record.StreamsMemberMetadata
		}
		if current, backups, ok := currentOf(r.Value); ok {
			out.current, out.backups = &current, backups
		}
	}
	return out
}

func (e effect) group() string {
	if e.epoch < 0 {
		return ""
	}
	return fmt.Sprintf(" and the group moves to epoch %d", e.epoch)
}

func (e effect) groupAlone() string {
	if e.epoch < 0 {
		return ""
	}
	return fmt.Sprintf(" The group moves to epoch %d.", e.epoch)
}

func (m *moment) sayExpired(x sim.Expired, l *ledger) string {
	held := l.current[x.Member]
	effect := effectOf(x.Records)
	for _, r := range x.Records {
		l.tell(r)
	}
	switch {
	case x.Timer == coordinator.JoinTimer && x.Name == "":
		return "The group has waited for members long enough."
	case !effect.gone && len(x.Records) == 0:
		return fmt.Sprintf("%s timer ends and finds nothing to do.", capital(own(timerOf(x.Name)))+" "+x.Timer.String())
	case x.Timer == coordinator.InitialRebalanceTimer:
		return fmt.Sprintf("The first members have had time to join, and the target for epoch %d is computed.", effect.target)
	case x.Timer == coordinator.SessionTimer:
		return fmt.Sprintf("%s is silent for %s and is removed.%s", x.Name, Seconds(m.after.SessionTimeout), effect.groupAlone())
	}
	return fmt.Sprintf("%s has not given up %s in %s and is removed.%s", x.Name,
		l.list(record.Partitions(held.PendingRevocation)), Seconds(m.rebalanceTimeout(x.Member)), effect.groupAlone())
}

// timerOf is whose a timer is: a member's, or the group's own.
func timerOf(name string) string {
	if name == "" {
		return "the group"
	}
	return name
}

// rebalanceTimeout is the time that a member has to revoke.
func (m *moment) rebalanceTimeout(id string) protocol.Duration {
	for _, s := range []*sim.State{m.before, m.after} {
		if s == nil {
			continue
		}
		for _, member := range groupOf(s).Members {
			if member.ID == id {
				return member.RebalanceTimeout
			}
		}
	}
	return 0
}

func sayRaised(r sim.Raised) string {
	return fmt.Sprintf("poll() throws %s at %s application.", r.Error, own(r.Member))
}

// The callbacks of a streams client that tell of tasks.
const (
	onTasksRevoked  = "onTasksRevoked"
	onTasksAssigned = "onTasksAssigned"
)

func sayCalled(c sim.Called) string {
	if c.Failed {
		return fmt.Sprintf("%s %s throws.", own(c.Member), c.What)
	}
	if c.What == onTasksAssigned {
		if !c.Done || len(c.Partitions)+len(c.Standby)+len(c.Warmup) == 0 {
			return ""
		}
		return fmt.Sprintf("%s runs %s.", c.Member, inRoles(c.Partitions, c.Standby, c.Warmup))
	}
	if !c.Done || len(c.Partitions) == 0 {
		return ""
	}
	verb := map[string]string{
		"onPartitionsRevoked":  "has stopped reading",
		"onPartitionsAssigned": "starts reading",
		"onPartitionsLost":     "has lost",
		onTasksRevoked:         "has closed",
	}[c.What]
	w := wording{c.What == onTasksRevoked}
	return fmt.Sprintf("%s %s %s.", c.Member, verb, w.list(c.Partitions.Partitions()))
}

func sayThreadEnded(t sim.ThreadEnded) string {
	return fmt.Sprintf("%s thread ends, because of %s.", own(t.Member), t.Why)
}

// topicsChanged tells of topics, and apart of those that the broker created.
func topicsChanged(c sim.TopicsChanged) string {
	if len(c.Internal) == 0 {
		return topicsPhrase(c.Topics)
	}
	return "the broker creates " + prose.And(c.Internal)
}

// saySilence is for a stop at which nothing changed but the time.
func (m *moment) saySilence() string {
	var passed protocol.Duration
	if m.before != nil {
		passed = m.after.At.Sub(m.before.At)
	}
	switch {
	case m.before == nil && m.after.Log > 0:
		return fmt.Sprintf("The coordinator begins with %s in its log.", count(m.after.Log, "record"))
	case m.before == nil:
		return "Nothing has happened yet."
	case m.idle > 0:
		return fmt.Sprintf("%s in %s change nothing.", count(m.idle, "heartbeat"), Seconds(passed))
	case passed > 0:
		return fmt.Sprintf("%s pass.", Seconds(passed))
	}
	return "Nothing changes."
}

func failure(f string) string {
	switch f {
	case "timeout":
		return "the request timed out"
	case "disconnect":
		return "the connection broke"
	}
	return f
}

// answer tells a response in a few words; s is the whole of one to a streams
// client.
func answer(r protocol.ConsumerGroupHeartbeatResponse, s *protocol.StreamsGroupHeartbeatResponse) string {
	switch {
	case r.Error != protocol.None:
		return r.Error.String()
	case s != nil && s.Tasks.Present():
		return fmt.Sprintf("epoch %d, %s%s", r.MemberEpoch, inRoles(s.Tasks.Active, s.Tasks.Standby, s.Tasks.Warmup), statusWords(s.Status))
	case s != nil:
		return fmt.Sprintf("epoch %d%s", r.MemberEpoch, statusWords(s.Status))
	case r.Assignment == nil:
		return fmt.Sprintf("epoch %d", r.MemberEpoch)
	}
	return fmt.Sprintf("epoch %d, %s", r.MemberEpoch, Partitions(r.Assignment.Partitions()))
}
