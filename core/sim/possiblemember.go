package sim

import (
	"fmt"

	"groupscope/core/client"
)

// memberRefusal is about the actions that are done to a member.
func (w *World) memberRefusal(m *member, a Action) string {
	switch a.(type) {
	case Join, Restart:
		return w.startRefusal(m, a)
	}
	if reason, waits := faultRefusal(a); waits {
		return reason
	}
	switch a := a.(type) {
	case CommitOffsets:
		return w.commitRefusal(m, a)
	case FetchOffsets:
		return w.offsetRefusal(m, a.With, fetchFields)
	}
	if !m.running() {
		return notRunning(m)
	}
	name := m.setup.Name
	switch a := a.(type) {
	case Heartbeat:
		if reason := w.silent(m); reason != "" {
			return reason
		}
		if w.topology != nil {
			return checkOverrides(streamsFields, a.With)
		}
		return checkOverrides(fields, a.With)
	case Leave:
		if m.client.Closing() {
			return fmt.Sprintf("%s is leaving already. Let time pass.", name)
		}
	case ShutDown, ReportOffsets:
		if w.topology == nil {
			return "That is for members of streams groups."
		}
	case Subscribe:
		switch {
		case w.topology != nil:
			return fmt.Sprintf("%s reads what its topology says. Give it another topology and restart it.", name)
		case m.client.Closing():
			return fmt.Sprintf("%s is leaving. Let it join again instead.", name)
		case m.client.State() == client.Fatal:
			return fmt.Sprintf("%s has stopped for good with %s. Restart it.", name, m.client.LastError())
		case a.Regex != "" && len(a.Topics) > 0:
			return "A client subscribes to names or by a regex, not both."
		case a.Regex != "" && len(m.client.Subscription().Topics) > 0, len(a.Topics) > 0 && m.client.Subscription().Pattern != "":
			return fmt.Sprintf("%s subscribes in the other way, by names or by a regex. Let it subscribe to nothing in between.", name)
		}
	case Pause:
		if a.For <= 0 {
			return "A pause takes longer than 0."
		}
	case FailCallback:
		return positive(a.Count, "callbacks")
	}
	return ""
}

func (w *World) startRefusal(m *member, a Action) string {
	name, state := m.setup.Name, m.state()
	if n := len(w.ledger.members); n >= MaxMembers {
		return fmt.Sprintf("The group has %d members, those that crashed counted in until they are removed: that is the limit.", n)
	}
	switch a.(type) {
	case Join:
		switch {
		case state == client.Absent || state == client.Closed || m.client.Closing():
			return ""
		case state == client.Crashed || state == client.Fatal:
			return fmt.Sprintf("%s has stopped. Restart it instead.", name)
		}
		return fmt.Sprintf("%s runs already. Let it heartbeat, or crash it and restart it.", name)
	case Restart:
		switch {
		case state == client.Absent:
			return fmt.Sprintf("%s was never started. Let it join.", name)
		case m.running() && state != client.Fatal && !m.client.Closing():
			return fmt.Sprintf("%s is running. Crash it or let it leave first.", name)
		}
		return ""
	}
	return ""
}

// faultRefusal is about the actions that wait for what a member does next, so
// that it need not run yet.
func faultRefusal(a Action) (reason string, is bool) {
	switch a := a.(type) {
	case LoseRequest:
		return positive(a.Count, "messages"), true
	case LoseResponse:
		return positive(a.Count, "messages"), true
	case Delay:
		if a.By < 0 {
			return "A delay cannot be below 0.", true
		}
		return positive(a.Count, "messages"), true
	case Duplicate:
		if a.After < 0 {
			return "A message cannot arrive again before it arrived.", true
		}
		return positive(a.Count, "messages"), true
	case Partition:
		if a.For <= 0 {
			return "A partition takes longer than 0.", true
		}
		return "", true
	case ChangeMember:
		return changeRefusal(a.To), true
	}
	return "", false
}

func changeRefusal(to MemberChange) string {
	if to.empty() {
		return "No setting is named, so nothing would change."
	}
	setup := to.Apply(MemberSetup{})
	return setup.check()
}

func positive(count int, of string) string {
	if count < 1 {
		return "The number of " + of + " is 1 or more."
	}
	return ""
}

func notRunning(m *member) string {
	name := m.setup.Name
	switch m.state() {
	case client.Crashed:
		return fmt.Sprintf("%s has crashed. Restart it first.", name)
	case client.Closed:
		return fmt.Sprintf("%s has left. Let it join again first.", name)
	}
	return fmt.Sprintf("%s has not started. Let it join first.", name)
}

// silent says why a running client would send no heartbeat, "" if it would.
func (w *World) silent(m *member) string {
	name := m.setup.Name
	switch m.client.State() {
	case client.Fatal:
		return fmt.Sprintf("%s has stopped for good with %s. Restart it.", name, m.client.LastError())
	case client.Unsubscribed:
		if s := m.client.Subscription(); w.topology == nil && len(s.Topics) == 0 && s.Pattern == "" {
			return fmt.Sprintf("%s subscribes to nothing, so it is in no group. Let it subscribe first.", name)
		}
	case client.Stale:
		if m.client.Paused() && w.agendas[m.index].resume.at > w.now {
			return fmt.Sprintf("%s has left the group, as its application did not poll in time. Let time pass: it polls again at %s.",
				name, w.agendas[m.index].resume.at.Sub(w.start))
		}
	}
	return ""
}
