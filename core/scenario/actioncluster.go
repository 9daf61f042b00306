package scenario

import "groupscope/core/sim"

// isTrue reads the value of an action that is done to nobody.
func (r *reader) isTrue(n *node, key string) bool {
	if n.kind != truth || n.text != "true" {
		r.wanted(n, "write "+key+": true")
		return false
	}
	return true
}

// toNobody makes the reader of an action that is done to the group as it is.
func toNobody(key string, a sim.Action) func(*reader, *node, *node) sim.Action {
	return func(r *reader, _, value *node) sim.Action {
		if !r.isTrue(value, key) {
			return nil
		}
		return a
	}
}

func readSetTopics(r *reader, step, value *node) sim.Action {
	before := len(r.diagnostics)
	topics, hidden := r.topics(value)
	if len(r.diagnostics) > before || value.kind == refused {
		return nil
	}
	if len(topics) == 0 {
		r.fault(value, "no topic is named, so nothing would change", "")
		return nil
	}
	a := sim.SetTopics{Topics: topics, Hidden: hidden}
	if step.has("metadata-delay") {
		d, ok := r.beside(step, "metadata-delay")
		if !ok {
			return nil
		}
		a.Delay = d
	}
	return a
}

func readChangeMember(r *reader, _, value *node) sim.Action {
	const what = "members are one member with the settings that change, {A: {revoke-time: 30s}}"
	if value.kind != mapping || len(value.entries) == 0 {
		r.wanted(value, what)
		return nil
	}
	if len(value.entries) > 1 {
		r.fault(value.entries[1].key, "a step changes one member", "Make it a step of its own")
		return nil
	}
	e := value.entries[0]
	name, ok := r.member(e.key)
	switch {
	case e.value.kind != mapping:
		r.wanted(e.value, what)
		return nil
	case len(e.value.entries) == 0:
		r.fault(e.value, "no setting is named, so nothing would change", "")
		return nil
	}
	before := len(r.diagnostics)
	a := sim.ChangeMember{Member: name}
	for _, f := range e.value.entries {
		if setting := r.settingOf(f.key.text); setting != nil {
			setting.read(r, f.value, &a.To)
			continue
		}
		r.unknownSetting(f.key)
	}
	if !ok || len(r.diagnostics) > before {
		return nil
	}
	return a
}
