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
		return fmt.Sprintf("The coordinator fails over. The new one reads %s.", prose.Count(what.Records, "record"))
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
		return fmt.Sprintf("The coordinator begins with %s in its log.", prose.Count(m.after.Log, "record"))
	case m.before == nil:
		return "Nothing has happened yet."
	case m.idle > 0:
		return fmt.Sprintf("%s in %s change nothing.", prose.Count(m.idle, "heartbeat"), Seconds(passed))
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
