package sim_test

import (
	"cmp"
	"fmt"
	"strings"

	"groupscope/core/client"
	"groupscope/core/protocol"
	"groupscope/core/record"
	"groupscope/core/sim"
)

// transcript writes events for people: one line each, with the seconds since
// the start.
type transcript struct {
	start protocol.Instant
	text  strings.Builder
}

func (t *transcript) add(events []sim.Event) {
	for _, e := range events {
		at := e.At.Sub(t.start)
		fmt.Fprintf(&t.text, "%4d.%03d  %s\n", at/1000, at%1000, sentence(e.What))
	}
}

func sentence(what sim.Occurrence) string {
	switch e := what.(type) {
	case sim.Acted:
		return fmt.Sprintf("--- %s", act(e.Action))
	case sim.Sent:
		if e.Classic != nil {
			return fmt.Sprintf("%s sends %s with generation %d%s", e.Member, classicName(e.Classic), e.Request.MemberEpoch, when(e.Lost, " (gets lost)"))
		}
		return fmt.Sprintf("%s%s asks: %s%s", when(e.Raw, "somebody, as "), e.Member, request(e.Request), when(e.Lost, " (gets lost)"))
	case sim.Handled:
		if e.Classic != nil {
			return fmt.Sprintf("    coordinator: %s of %s %s%s%s", classicName(e.Classic.Request), e.Member,
				map[bool]string{true: "waits", false: "is answered " + answer(e.Response)}[e.Waits], records(e.Records), when(e.Late, " (at last)"))
		}
		return fmt.Sprintf("    coordinator: %s%s%s%s", answer(e.Response), records(e.Records),
			when(e.Idle, ", nothing new"), when(e.Again, " (to the same request again)")+when(e.ResponseLost, " (the answer gets lost)"))
	case sim.Received:
		if e.Failure != "" {
			return fmt.Sprintf("%s gets no answer: %s", e.Member, e.Failure)
		}
		return fmt.Sprintf("%s hears: %s", e.Member, answer(e.Response))
	case sim.Expired:
		return fmt.Sprintf("    coordinator: %s timer of %s ends%s", e.Timer, cmp.Or(e.Member, "the group"), records(e.Records))
	case sim.ClientChanged:
		c := e.Client
		return fmt.Sprintf("%s is %s at epoch %d with %s%s%s", c.Member, c.State, c.Epoch, c.Owned,
			when(len(c.Revoking) > 0, ", gives up "+c.Revoking.String()), when(len(c.Adding) > 0, ", takes "+c.Adding.String()))
	case sim.Called:
		return fmt.Sprintf("%s: %s(%s) %s", e.Member, e.What, e.Partitions, callbackPhase(e))
	case sim.Operated:
		return operation(e)
	case sim.Raised:
		return fmt.Sprintf("%s: poll() throws %s", e.Member, e.Error)
	case sim.TopicsLearnt:
		return fmt.Sprintf("clients know of %v", e.Topics)
	case sim.TopicsChanged:
		var topics []string
		for _, t := range e.Topics {
			topics = append(topics, fmt.Sprintf("%s with %d partitions", t.ID, t.Partitions))
		}
		return "topics: " + strings.Join(topics, ", ")
	case sim.FailedOver:
		return fmt.Sprintf("    coordinator: rebuilt from %d records", e.Records)
	case sim.Violated:
		return "!!! " + e.Violation.Invariant + ": " + e.Violation.Text
	}
	panic(fmt.Sprintf("no words for %T", what))
}

func act(a sim.Action) string {
	switch a := a.(type) {
	case sim.Join:
		return a.Member + " joins"
	case sim.Heartbeat:
		return a.Member + " heartbeats" + when(len(a.With) > 0, fmt.Sprintf(", tampered with: %v", a.With))
	case sim.Leave:
		return a.Member + " closes" + [...]string{"", " and leaves the group for good", " and remains in the group"}[a.Option]
	case sim.Crash:
		return a.Member + " crashes"
	case sim.Restart:
		return a.Member + " is started again"
	case sim.Pause:
		return fmt.Sprintf("%s does not poll for %s", a.Member, a.For)
	case sim.Subscribe:
		return fmt.Sprintf("%s subscribes to %v", a.Member, a.Topics)
	case sim.LoseRequest:
		return fmt.Sprintf("%d requests of %s will get lost", a.Count, a.Member)
	case sim.LoseResponse:
		return fmt.Sprintf("%d answers to %s will get lost", a.Count, a.Member)
	case sim.Delay:
		return fmt.Sprintf("%d %s of %s will take %s longer", a.Count, map[bool]string{false: "requests", true: "answers"}[a.Response], a.Member, a.By)
	case sim.Disconnect:
		return "the connection of " + a.Member + " breaks"
	case sim.Duplicate:
		return fmt.Sprintf("%d requests of %s will arrive twice, %s apart", a.Count, a.Member, a.After)
	case sim.Partition:
		return fmt.Sprintf("%s is cut off for %s", a.Member, a.For)
	case sim.FailCallback:
		return fmt.Sprintf("%d times %s of %s will throw", a.Count, a.Callback, a.Member)
	case sim.ChangeMember:
		return fmt.Sprintf("%s is set up anew", a.Member)
	case sim.BrokerError:
		return fmt.Sprintf("the broker answers %s for %s%s", a.Error, a.For, when(a.Lookup, ", and lookups fail"))
	case sim.CommitOffsets:
		return fmt.Sprintf("%s commits offset %d%s", a.Member, a.Offset, when(len(a.With) > 0, fmt.Sprintf(", tampered with: %v", a.With)))
	case sim.FetchOffsets:
		return fmt.Sprintf("%s asks for its offsets%s", a.Member, when(len(a.With) > 0, fmt.Sprintf(", tampered with: %v", a.With)))
	case sim.DeleteGroup:
		return "somebody deletes the group"
	case sim.Cleanup:
		return "the broker expires what is old"
	case sim.Describe:
		return "somebody describes the group"
	case sim.ResolveRegexes:
		return "the regexes are resolved"
	case sim.SetGroupConfig:
		return fmt.Sprintf("the group is configured: %v", a.Settings)
	case sim.SendRequest:
		return fmt.Sprintf("somebody sends a request: %v", a.With)
	case sim.FailOver:
		return "the coordinator fails over"
	case sim.SetTopics:
		var topics []string
		for _, t := range a.Topics {
			topics = append(topics, fmt.Sprintf("%s to %d partitions", t.Name, t.Partitions))
		}
		return fmt.Sprintf("the topics change: %s%s", strings.Join(topics, ", "), when(a.Delay > 0, fmt.Sprintf(", clients learn of it after %s", a.Delay)))
	case sim.Run:
		return fmt.Sprintf("all live by themselves for %s", a.For)
	case sim.Until:
		return fmt.Sprintf("all live by themselves until %s", a.At)
	case sim.Advance:
		return fmt.Sprintf("%s pass while clients keep silent", a.For)
	}
	panic(fmt.Sprintf("no words for %T", a))
}

func operation(o sim.Operated) string {
	out := fmt.Sprintf("    coordinator: %s", o.Operation)
	switch {
	case o.Commit != nil:
		out += fmt.Sprintf(" of %s at epoch %d", o.Member, o.Commit.GenerationIDOrMemberEpoch)
	case o.Fetch != nil:
		out += fmt.Sprintf(" of %s at epoch %d", o.Member, o.Fetch.MemberEpoch)
	}
	if o.Error != protocol.None {
		out += ", " + o.Error.String()
	}
	if o.Description != nil {
		for _, m := range o.Description.Members {
			out += fmt.Sprintf("; %s at %d has %s, target %s", m.MemberID, m.MemberEpoch, m.Assignment, m.TargetAssignment)
		}
	}
	return out + records(o.Records)
}

func classicName(r *client.ClassicRequest) string {
	switch {
	case r.Join != nil:
		return "JoinGroup"
	case r.Sync != nil:
		return fmt.Sprintf("SyncGroup with %d assignments", len(r.Sync.Assignments))
	case r.Heartbeat != nil:
		return "Heartbeat"
	}
	return "LeaveGroup"
}

func callbackPhase(c sim.Called) string {
	switch {
	case !c.Done:
		return "begins"
	case c.Failed:
		return "throws"
	}
	return "returns"
}

func request(r protocol.ConsumerGroupHeartbeatRequest) string {
	var b strings.Builder
	fmt.Fprintf(&b, "epoch %d", r.MemberEpoch)
	for _, f := range []struct {
		name  string
		value *string
	}{{"instance", r.InstanceID}, {"rack", r.RackID}, {"assignor", r.ServerAssignor}} {
		if f.value != nil {
			fmt.Fprintf(&b, ", %s %s", f.name, *f.value)
		}
	}
	if r.RebalanceTimeoutMs != -1 {
		fmt.Fprintf(&b, ", rebalance timeout %s", protocol.Duration(r.RebalanceTimeoutMs))
	}
	if r.SubscribedTopicRegex != nil {
		fmt.Fprintf(&b, ", subscribes by %s", *r.SubscribedTopicRegex)
	}
	if r.SubscribedTopicNames != nil {
		fmt.Fprintf(&b, ", subscribes to %v", r.SubscribedTopicNames)
	}
	if r.TopicPartitions != nil {
		fmt.Fprintf(&b, ", owns %s", r.TopicPartitions)
	}
	return b.String()
}

func answer(r protocol.ConsumerGroupHeartbeatResponse) string {
	if r.Error != protocol.None {
		return r.Error.String()
	}
	if r.Assignment == nil {
		return fmt.Sprintf("epoch %d", r.MemberEpoch)
	}
	return fmt.Sprintf("epoch %d, your partitions are %s", r.MemberEpoch, r.Assignment)
}

func records(rs []record.Record) string {
	if len(rs) == 0 {
		return ""
	}
	short := make([]string, len(rs))
	for i, r := range rs {
		short[i] = r.Short()
	}
	return ", writes " + strings.Join(short, " ")
}

func when(is bool, text string) string {
	if is {
		return text
	}
	return ""
}
