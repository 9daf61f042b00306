package scenario

import (
	"slices"
	"strconv"
	"strings"

	"groupscope/core/protocol"
	"groupscope/core/sim"
)

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
		case bool:
			value = strconv.FormatBool(v)
		case *protocol.Topology:
			value = encodeTopology(v)
		case *protocol.Endpoint:
			value = scalar(v.String())
		case []protocol.Tag:
			value = encodeTags(v)
		case []protocol.TaskOffset:
			value = encodeTaskOffsets(v)
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

func encodeInt(v int64) string { return strconv.FormatInt(v, 10) }

func encodeTopics(topics []protocol.Topic, hidden []string) string {
	out := make([]string, len(topics))
	for i, t := range topics {
		size, more := strconv.Itoa(int(t.Partitions)), ""
		if len(t.Racks) > 0 {
			racks := make([]string, len(t.Racks))
			for j, r := range t.Racks {
				racks[j] = flowList(r)
			}
			more = ", racks: [" + strings.Join(racks, ", ") + "]"
		}
		if slices.Contains(hidden, t.Name) {
			more += ", hidden: true"
		}
		if more != "" {
			size = "{partitions: " + size + more + "}"
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
