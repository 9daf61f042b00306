package scenario

import (
	"slices"
	"strings"

	"groupscope/core/sim"
)

// DefaultOffset is what a commit commits when the file does not say.
const DefaultOffset = 100

// The fields of requests about offsets that with may replace.
var (
	commitFields = []string{"memberId", "memberEpoch", "instanceId", "topicPartitions"}
	fetchFields  = []string{"memberId", "memberEpoch"}
)

func readCommit(r *reader, step, value *node) sim.Action {
	name, ok := r.member(value)
	a := sim.CommitOffsets{Member: name, Offset: DefaultOffset}
	with, fine := r.offsetOverrides(step, commitFields)
	a.With = with
	if n := step.get("offset"); n != nil {
		v, in := r.integer(n, "an offset is a whole number", 0, 1<<40)
		a.Offset, fine = v, fine && in
	}
	if !ok || !fine {
		return nil
	}
	return a
}

func readFetchOffsets(r *reader, step, value *node) sim.Action {
	name, ok := r.member(value)
	with, fine := r.offsetOverrides(step, fetchFields)
	if !ok || !fine {
		return nil
	}
	return sim.FetchOffsets{Member: name, With: with}
}

// offsetOverrides reads what with replaces in a request that has only some of
// the fields of a heartbeat.
func (r *reader) offsetOverrides(step *node, known []string) ([]sim.Override, bool) {
	n := step.get("with")
	if n == nil {
		return nil, true
	}
	before := len(r.diagnostics)
	for _, e := range n.entries {
		switch {
		case slices.Contains(known, e.key.text):
			if e.key.text == "topicPartitions" && e.value.kind == nothing {
				r.fault(e.key, "a commit says which partitions", "")
			}
		case slices.ContainsFunc(requestFields, func(f requestField) bool { return f.name == e.key.text }):
			r.fault(e.key, "this request has no field "+e.key.text, "One of: "+strings.Join(known, ", "))
		}
	}
	out := r.overrides(n)
	return out, len(r.diagnostics) == before
}

func readSend(r *reader, _, value *node) sim.Action {
	if value.kind != mapping {
		r.wanted(value, "send is a mapping with the fields of a heartbeat, {memberId: X, memberEpoch: 0}")
		return nil
	}
	before := len(r.diagnostics)
	a := sim.SendRequest{With: r.overrides(value)}
	for _, field := range []string{"memberId", "memberEpoch"} {
		if !value.has(field) {
			r.fault(value, "every request has "+field, "Write for instance memberId: X, memberEpoch: 0")
		}
	}
	if len(r.diagnostics) > before {
		return nil
	}
	r.world.senders = append(r.world.senders, value.get("memberId").text)
	return a
}

func readSetConfig(r *reader, _, value *node) sim.Action {
	if value.kind != mapping {
		r.wanted(value, "config is a mapping from Kafka's names of a group's settings to values, {consumer.session.timeout.ms: 50000}")
		return nil
	}
	before := len(r.diagnostics)
	var given settings
	for _, e := range value.entries {
		if !r.groupConfig(e, &given) {
			r.unknownGroupConfig(e.key)
		}
	}
	if len(r.diagnostics) > before {
		return nil
	}
	return sim.SetGroupConfig{Settings: given.group}
}

func encodeAdmin(action sim.Action) []string {
	with := func(pairs []string, overrides []sim.Override) []string {
		if len(overrides) > 0 {
			pairs = append(pairs, pair("with", encodeOverrides(overrides)))
		}
		return pairs
	}
	switch a := action.(type) {
	case sim.CommitOffsets:
		out := []string{pair("commit", a.Member)}
		if a.Offset != DefaultOffset {
			out = append(out, pair("offset", encodeInt(a.Offset)))
		}
		return with(out, a.With)
	case sim.FetchOffsets:
		return with([]string{pair("fetch-offsets", a.Member)}, a.With)
	case sim.SetGroupConfig:
		pairs := make([]string, len(a.Settings))
		for i, s := range a.Settings {
			pairs[i] = pair(s.Name, s.Value)
		}
		return []string{pair("config", "{"+strings.Join(pairs, ", ")+"}")}
	case sim.SendRequest:
		return []string{pair("send", encodeOverrides(a.With))}
	case sim.ResolveRegexes:
		return []string{"resolve: true"}
	case sim.Describe:
		return []string{"describe: true"}
	case sim.Cleanup:
		return []string{"cleanup: true"}
	case sim.DeleteGroup:
		return []string{"delete-group: true"}
	}
	return nil
}
