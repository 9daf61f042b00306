package playback

import (
	"fmt"

	"groupscope/core/prose"
	"groupscope/core/protocol"
	"groupscope/core/scenario"
	"groupscope/core/sim"
)

// phrase tells an action as a clause in the present tense, without a full
// stop: "A crashes".
func phrase(a sim.Action) string {
	for _, tell := range []func(sim.Action) string{lifePhrase, faultPhrase, clusterPhrase, adminPhrase} {
		if s := tell(a); s != "" {
			return s
		}
	}
	return fmt.Sprintf("%T", a)
}

// lifePhrase tells what a client does, and time that passes.
func lifePhrase(a sim.Action) string {
	switch a := a.(type) {
	case sim.Join:
		return a.Member + " joins"
	case sim.Heartbeat:
		return a.Member + " heartbeats"
	case sim.Leave:
		return a.Member + " leaves"
	case sim.Crash:
		return a.Member + " crashes"
	case sim.Restart:
		return a.Member + " starts again"
	case sim.Pause:
		return fmt.Sprintf("%s stops polling for %s", a.Member, Seconds(a.For))
	case sim.Subscribe:
		switch {
		case a.Regex != "":
			return fmt.Sprintf("%s subscribes by %s", a.Member, a.Regex)
		case len(a.Topics) == 0:
			return a.Member + " subscribes to nothing"
		}
		return fmt.Sprintf("%s subscribes to %s", a.Member, prose.And(a.Topics))
	case sim.ShutDown:
		return own(a.Member) + " application asks to shut down"
	case sim.ReportOffsets:
		return fmt.Sprintf("%s application has state of %s", own(a.Member), prose.Count(len(a.Tasks), "task"))
	case sim.Run:
		return fmt.Sprintf("clients run for %s", Seconds(a.For))
	case sim.Until:
		return fmt.Sprintf("clients run until %s", Seconds(a.At))
	case sim.Advance:
		return fmt.Sprintf("%s pass without a client", Seconds(a.For))
	}
	return ""
}

func faultPhrase(a sim.Action) string {
	switch a := a.(type) {
	case sim.LoseRequest:
		return lost(a.Member, "heartbeat", a.Count)
	case sim.LoseResponse:
		return lost(a.Member, "answer", a.Count)
	case sim.Delay:
		what := "request"
		if a.Response {
			what = "answer"
		}
		return fmt.Sprintf("%s next %s is %s late", own(a.Member), what, Seconds(a.By))
	case sim.Disconnect:
		return own(a.Member) + " connection breaks"
	case sim.Duplicate:
		if a.Count > 1 {
			return fmt.Sprintf("%s next %d heartbeats arrive twice", own(a.Member), a.Count)
		}
		return own(a.Member) + " next heartbeat arrives twice"
	case sim.Partition:
		return fmt.Sprintf("%s is cut off for %s", a.Member, Seconds(a.For))
	case sim.FailCallback:
		if a.Count > 1 {
			return fmt.Sprintf("%s next %d calls of %s throw", own(a.Member), a.Count, a.Callback)
		}
		return fmt.Sprintf("%s next %s throws", own(a.Member), a.Callback)
	case sim.BrokerError:
		s := fmt.Sprintf("the broker answers %s for %s", a.Error, Seconds(a.For))
		if a.Lookup {
			s += ", and cannot be looked up"
		}
		return s
	}
	return ""
}

func clusterPhrase(a sim.Action) string {
	switch a := a.(type) {
	case sim.FailOver:
		return "the coordinator fails over"
	case sim.SetTopics:
		s := topicsPhrase(a.Topics)
		if a.Delay > 0 {
			s += fmt.Sprintf(", and clients know of it %s later", Seconds(a.Delay))
		}
		return s
	case sim.InternalTopics:
		return creationPhrase(a.Creation)
	case sim.ChangeMember:
		return changePhrase(a)
	}
	return ""
}

func changePhrase(a sim.ChangeMember) string {
	rest := a.To
	rest.Streams.Topology = nil
	settings := scenario.Settings(&rest)
	if t := a.To.Streams.Topology; t != nil {
		settings = append([]string{fmt.Sprintf("a topology of epoch %d", t.Epoch)}, settings...)
	}
	return fmt.Sprintf("%s is set to %s", a.Member, prose.And(settings))
}

func creationPhrase(c sim.Creation) string {
	switch {
	case c.Refused:
		return "the broker creates no internal topics from now on"
	case c.After != nil:
		return fmt.Sprintf("the broker takes %s to create internal topics from now on", Seconds(*c.After))
	}
	return "the broker creates internal topics from now on"
}

// adminPhrase tells what is asked of the coordinator beside heartbeats.
func adminPhrase(a sim.Action) string {
	switch a := a.(type) {
	case sim.CommitOffsets:
		return a.Member + " commits its offsets"
	case sim.FetchOffsets:
		return a.Member + " asks for its offsets"
	case sim.DeleteGroup:
		return "an operator deletes the group"
	case sim.Cleanup:
		return "the broker looks for what has expired"
	case sim.Describe:
		return "a tool describes the group"
	case sim.ResolveRegexes:
		return "the coordinator resolves the regexes"
	case sim.SetGroupConfig:
		return configPhrase(a.Settings)
	case sim.SendRequest:
		for _, o := range a.With {
			if o.Field == "memberId" {
				return fmt.Sprintf("somebody heartbeats as %v", o.Value)
			}
		}
		return "somebody heartbeats"
	}
	return ""
}

func configPhrase(settings []sim.GroupSetting) string {
	if len(settings) == 0 {
		return "the group has the broker’s settings"
	}
	var words []string
	for _, s := range settings {
		words = append(words, s.Name+" "+s.Value)
	}
	return "the group is set to " + prose.And(words)
}

func lost(member, what string, n int) string {
	if n <= 1 {
		return fmt.Sprintf("%s next %s is lost", own(member), what)
	}
	return fmt.Sprintf("%s next %ss are lost", own(member), fmt.Sprintf("%d %s", n, what))
}

func topicsPhrase(topics []protocol.Topic) string {
	var words []string
	for _, t := range topics {
		if t.Partitions == 0 {
			words = append(words, t.Name+" is deleted")
		} else {
			words = append(words, fmt.Sprintf("%s has %s", t.Name, prose.Count(int(t.Partitions), "partition")))
		}
	}
	return prose.And(words)
}

// branchName names a branch after the act that opened it. later: it was done
// after the stop, not at it.
func branchName(a sim.Action, label string, later bool) string {
	where := "at"
	if later {
		where = "after"
	}
	return fmt.Sprintf("%s %s %s", capital(phrase(a)), where, label)
}
