package scenario

import (
	"fmt"
	"strconv"
	"strings"

	"groupscope/core/protocol"
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
		r.fault(root, "no action", "One of: "+strings.Join(append(actionKeys(), clockKeys...), ", "))
	case len(done) > 1:
		r.fault(root, "two actions: one at a time", "")
	default:
		return done[0].action, nil
	}
	return nil, r.sorted()
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
	pair := func(key, value string) string { return key + ": " + value }
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
		return []string{pair("subscribe", a.Member), pair("to", flowList(a.Topics))}
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
	case sim.Disconnect:
		return []string{pair("disconnect", a.Member)}
	case sim.FailOver:
		return []string{"fail-over: true"}
	case sim.SetTopics:
		return []string{pair("topics", encodeTopics(a.Topics))}
	case sim.Run:
		return []string{pair("run", a.For.String())}
	case sim.Until:
		return []string{pair("at", a.At.String())}
	case sim.Advance:
		return []string{pair("advance", a.For.String())}
	}
	panic(fmt.Sprintf("scenario: an action that no file can say: %T", action))
}

func counted(what string, count int) []string {
	if count <= 1 {
		return []string{what}
	}
	return []string{what, "count: " + strconv.Itoa(count)}
}

func encodeOverrides(with []sim.Override) string {
	pairs := make([]string, len(with))
	for i, o := range with {
		value := "null"
		switch v := o.Value.(type) {
		case int32:
			value = strconv.Itoa(int(v))
		case string:
			value = scalar(v)
		case []string:
			value = flowList(v)
		case protocol.Assignment:
			value = encodeAssignment(v)
		}
		pairs[i] = o.Field + ": " + value
	}
	return "{" + strings.Join(pairs, ", ") + "}"
}

func encodeAssignment(set protocol.Assignment) string {
	topics := make([]string, len(set))
	for i, t := range set {
		numbers := make([]string, len(t.Partitions))
		for j, p := range t.Partitions {
			numbers[j] = strconv.Itoa(int(p))
		}
		topics[i] = scalar(string(t.Topic)) + ": [" + strings.Join(numbers, ", ") + "]"
	}
	return "{" + strings.Join(topics, ", ") + "}"
}

func encodeTopics(topics []protocol.Topic) string {
	out := make([]string, len(topics))
	for i, t := range topics {
		size := strconv.Itoa(int(t.Partitions))
		if len(t.Racks) > 0 {
			racks := make([]string, len(t.Racks))
			for j, r := range t.Racks {
				racks[j] = flowList(r)
			}
			size = "{partitions: " + size + ", racks: [" + strings.Join(racks, ", ") + "]}"
		}
		out[i] = scalar(t.Name) + ": " + size
	}
	return "{" + strings.Join(out, ", ") + "}"
}

func flowList(words []string) string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = scalar(w)
	}
	return "[" + strings.Join(out, ", ") + "]"
}

// scalar writes a text as YAML: plain where it can only be read as itself.
func scalar(s string) string {
	plain := s != ""
	for i, c := range s {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_'
		digit := c >= '0' && c <= '9'
		plain = plain && (letter || i > 0 && (digit || c == '-' || c == '.'))
	}
	switch strings.ToLower(s) {
	case "null", "true", "false", "yes", "no", "on", "off", "y", "n":
		plain = false
	}
	if plain {
		return s
	}
	return strconv.Quote(s)
}
