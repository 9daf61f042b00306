package conformance

import (
	"groupscope/core/protocol"
	"groupscope/core/record"
)

// The words of a trace: our values as the recorder writes the broker's. A
// field that has its default is left out.

type object = map[string]any

// bare drops the values that are the default of nearly every field of
// Kafka's schemas: nothing, "", 0, false and empty lists. What a trace shows
// all the same is put in afterwards.
func bare(o object) object {
	for name, v := range o {
		switch v := v.(type) {
		case string:
			if v != "" {
				continue
			}
		case int64:
			if v != 0 {
				continue
			}
		case bool:
			if v {
				continue
			}
		case []any:
			if len(v) > 0 {
				continue
			}
		case object:
			if len(v) > 0 {
				continue
			}
		case nil:
		default:
			continue
		}
		delete(o, name)
	}
	return o
}

// text is a text, nil for one that is absent.
func text(s *string) any {
	if s == nil {
		return nil
	}
	return *s
}

func texts(list []string) []any {
	out := make([]any, len(list))
	for i, s := range list {
		out[i] = s
	}
	return out
}

func numberList[N ~int16 | ~int32](list []N) []any {
	out := make([]any, len(list))
	for i, n := range list {
		out[i] = int64(n)
	}
	return out
}

// each writes the elements of a list.
func each[T any](list []T, write func(T) object) []any {
	out := make([]any, len(list))
	for i, v := range list {
		out[i] = write(v)
	}
	return out
}

// tree is {"foo":[0,1]}.
func tree(a protocol.Assignment) object {
	out := make(object, len(a))
	for _, tp := range a {
		out[string(tp.Topic)] = numberList(tp.Partitions)
	}
	return out
}

// heldTrees are the two halves of what a member holds: numbers, and in the
// same order the epochs at which they were assigned.
func heldTrees(held []record.Held) (partitions, epochs object) {
	partitions, epochs = object{}, object{}
	add := func(to object, topic string, n int32) {
		of, _ := to[topic].([]any)
		to[topic] = append(of, int64(n))
	}
	for _, h := range held {
		add(partitions, string(h.Partition.Topic), h.Partition.Number)
		add(epochs, string(h.Partition.Topic), h.AssignmentEpoch)
	}
	return partitions, epochs
}

// heldTree is {"foo":{"partitions":[0,1],"assignmentEpochs":[2,2]}}.
func heldTree(held []record.Held) object {
	partitions, epochs := heldTrees(held)
	out := make(object, len(partitions))
	for topic := range partitions {
		out[topic] = object{"partitions": partitions[topic], "assignmentEpochs": epochs[topic]}
	}
	return out
}

// pairs are [{"key":"zone","value":"z1"}], with the names that Kafka's
// schema has for the two.
func pairs(list []protocol.Tag, key, value string) []any {
	return each(list, func(t protocol.Tag) object { return bare(object{key: t.Key, value: t.Value}) })
}

func endpoint(e *protocol.Endpoint) any {
	if e == nil {
		return nil
	}
	return bare(object{"host": e.Host, "port": int64(e.Port)})
}
