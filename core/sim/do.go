package sim

import (
	"groupscope/core/client"
	"groupscope/core/protocol"
)

// Do carries out an action. What needs no time happens at once, whatever the
// action before it had left to do; Run, Until and Advance only set the
// horizon. The error is a *Refused, and then nothing has changed.
func (w *World) Do(a Action) ([]Event, error) {
	if err := w.Possible(a); err != nil {
		return nil, err
	}
	w.horizon = w.now
	w.setLive(false)
	w.cause = w.emit(Acted{a})
	switch a := a.(type) {
	case Run:
		w.pass(a.For, true)
	case Until:
		w.pass(w.start.Add(a.At).Sub(w.now), true)
	case Advance:
		w.pass(a.For, false)
	case FailOver:
		w.failOver()
	case SetTopics:
		w.changeTopics(a, nil)
	case InternalTopics:
		w.creation.Creation = a.Creation
	case BrokerError:
		w.broken = brokerError{a.Error, w.now.Add(a.For), a.Lookup}
		w.view.stale = true
	case CommitOffsets, FetchOffsets, DeleteGroup, Cleanup, Describe, ResolveRegexes, SetGroupConfig, SendRequest:
		w.operate(a)
	default:
		w.byHand = true
		w.doMember(w.find(MemberOf(a)), a)
		w.byHand = false
	}
	return w.took(), nil
}

func (w *World) pass(d protocol.Duration, live bool) {
	w.horizon = w.now.Add(d)
	w.setLive(live)
}

// doMember carries out an action on a member.
func (w *World) doMember(m *member, a Action) {
	switch a := a.(type) {
	case Join, Restart:
		w.startClient(m)
	case Heartbeat:
		w.heartbeat(m, a.With)
	case Leave:
		w.leave(m, func() []client.Output { return w.own(m).Close(w.now, a.Option) })
	case Crash:
		w.crash(m)
	case Pause:
		w.react(m, w.own(m).Pause(w.now))
		w.agendas[m.index].resume = slot{w.now.Add(a.For), w.next()}
	case Subscribe:
		w.subscribe(m, client.Subscription{Topics: sortedNames(a.Topics), Pattern: a.Regex})
	case ChangeMember:
		w.changeMember(m, a.To)
	case ShutDown:
		w.own(m).ShutDownApplication(w.now) // which it has no reason to act upon now
	case ReportOffsets:
		w.react(m, w.own(m).ReportOffsets(w.now, a.Tasks))
	case Disconnect:
		w.breakConnection(m, "disconnect")
	default:
		w.arm(m, a)
	}
}
