package scenario

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"groupscope/core/sim"
)

// DecodeAction reads one action in the vocabulary of a step: "crash: A", or
// "{heartbeat: A, with: {memberEpoch: 1}}". Whether the member exists is left
// to the world that carries the action out.
func DecodeAction(src []byte) (sim.Action, []Diagnostic) {
	source, fault := decodeText(src)
	r := newReader("action", source)
	r.world.loose = true
	if fault != nil {
		r.faultAt(fault.place, fault.message, fault.hint)
		return nil, r.sorted()
	}
	root := r.tree(source)
	if root == nil {
		return nil, r.sorted()
	}
	if root.kind != mapping {
		r.wanted(root, "an action is a mapping, such as crash: A")
		return nil, r.sorted()
	}
	done := r.deeds(root)
	for _, e := range root.entries {
		for _, key := range stepKeys {
			if e.key.text == key && !isAction(e) {
				r.fault(e.key, key+" belongs to a step of a file, not to an action", "")
			}
		}
	}
	switch {
	case len(r.diagnostics) > 0:
	case len(done) == 0:
		r.fault(root, "no action", "One of: "+strings.Join(append(r.actionKeys(), clockKeys...), ", "))
	case len(done) > 1:
		r.fault(root, "two actions: one at a time", "")
	default:
		return done[0].action, nil
	}
	return nil, r.sorted()
}

// EncodeAction writes an action as the file would have it, in one line: a
// topology that has a name there goes by it.
func (sc *Scenario) EncodeAction(a sim.Action) string {
	return sc.named(EncodeAction(a))
}

// named puts the names of the file's topologies for the topologies themselves.
func (sc *Scenario) named(text string) string {
	for _, name := range slices.Sorted(maps.Keys(sc.topologies)) {
		text = strings.ReplaceAll(text, encodeTopology(sc.topologies[name]), scalar(name))
	}
	return text
}

// EncodeAction writes an action as DecodeAction reads it, in one line.
func EncodeAction(a sim.Action) string {
	pairs := encodePairs(a)
	if len(pairs) == 1 {
		return pairs[0]
	}
	return "{" + strings.Join(pairs, ", ") + "}"
}

// encodePairs writes an action as "key: value" pairs, the action's own first.
func encodePairs(action sim.Action) []string {
	for _, encode := range []func(sim.Action) []string{encodeClock, encodeLife, encodeStreams, encodeFault, encodeCluster, encodeAdmin} {
		if pairs := encode(action); pairs != nil {
			return pairs
		}
	}
	panic(fmt.Sprintf("scenario: an action that no file can say: %T", action))
}

func pair(key, value string) string { return key + ": " + value }

func encodeClock(action sim.Action) []string {
	switch a := action.(type) {
	case sim.Run:
		return []string{pair("run", a.For.String())}
	case sim.Until:
		return []string{pair("at", a.At.String())}
	case sim.Advance:
		return []string{pair("advance", a.For.String())}
	}
	return nil
}

func encodeLife(action sim.Action) []string {
	switch a := action.(type) {
	case sim.Join:
		return []string{pair("join", a.Member)}
	case sim.Heartbeat:
		out := []string{pair("heartbeat", a.Member)}
		if len(a.With) > 0 {
			out = append(out, pair("with", encodeOverrides(a.With)))
		}
		return out
	case sim.Leave:
		out := []string{pair("leave", a.Member)}
		switch a.Option {
		case sim.LeaveGroup:
			out = append(out, "option: LEAVE_GROUP")
		case sim.RemainInGroup:
			out = append(out, "option: REMAIN_IN_GROUP")
		}
		return out
	case sim.Crash:
		return []string{pair("crash", a.Member)}
	case sim.Restart:
		return []string{pair("restart", a.Member)}
	case sim.Pause:
		out := []string{pair("pause", a.Member)}
		if a.For != DefaultPause {
			out = append(out, pair("for", a.For.String()))
		}
		return out
	case sim.Subscribe:
		if a.Regex != "" {
			return []string{pair("subscribe", a.Member), pair("regex", scalar(a.Regex))}
		}
		return []string{pair("subscribe", a.Member), pair("to", flowList(a.Topics))}
	}
	return nil
}

func encodeFault(action sim.Action) []string {
	switch a := action.(type) {
	case sim.LoseRequest:
		return counted(pair("lose-request", a.Member), a.Count)
	case sim.LoseResponse:
		return counted(pair("lose-response", a.Member), a.Count)
	case sim.Delay:
		out := counted(pair("delay", a.Member), a.Count)
		if a.Response {
			out = append(out, "of: response")
		}
		return append(out, pair("by", a.By.String()))
	case sim.Duplicate:
		out := counted(pair("duplicate", a.Member), a.Count)
		if a.After > 0 {
			out = append(out, pair("after", a.After.String()))
		}
		return out
	case sim.Disconnect:
		return []string{pair("disconnect", a.Member)}
	case sim.Partition:
		return []string{pair("partition", a.Member), pair("for", a.For.String())}
	case sim.FailCallback:
		return append(counted(pair("fail-callback", a.Member), a.Count), pair("callback", a.Callback.String()))
	case sim.BrokerError:
		out := []string{pair("broker-error", a.Error.String()), pair("for", a.For.String())}
		if a.Lookup {
			out = append(out, "lookup-fails: true")
		}
		return out
	}
	return nil
}

func encodeCluster(action sim.Action) []string {
	switch a := action.(type) {
	case sim.FailOver:
		return []string{"fail-over: true"}
	case sim.SetTopics:
		out := []string{pair("topics", encodeTopics(a.Topics, a.Hidden))}
		if a.Delay > 0 {
			out = append(out, pair("metadata-delay", a.Delay.String()))
		}
		return out
	case sim.ChangeMember:
		return []string{pair("members", "{"+a.Member+": "+encodeChange(&a.To)+"}")}
	}
	return nil
}

func encodeChange(c *sim.MemberChange) string { return "{" + strings.Join(Settings(c), ", ") + "}" }

// Settings lists the settings that change as a file has them, "poll: 2s".
func Settings(c *sim.MemberChange) []string {
	var out []string
	for _, s := range slices.Concat(memberSettings, streamsSettings) {
		if value := s.write(c); value != "" {
			out = append(out, pair(s.key, value))
		}
	}
	return out
}
