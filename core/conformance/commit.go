package conformance

import (
	"cmp"
	"maps"
	"slices"
	"strconv"

	"groupscope/core/protocol"
)

// readCommitOffset reads {"memberId":"A","memberEpoch":2,"offsets":{"foo":{"0":5}}}.
func (r *runner) readCommitOffset(f *fields) action {
	q, _, version := r.header(f, offsetCommitVersion)
	req := protocol.OffsetCommitRequest{
		GroupID: r.groupOf(q), MemberID: q.text("memberId"), GenerationIDOrMemberEpoch: q.int32("memberEpoch", -1),
		GroupInstanceID: q.pointer("groupInstanceId"), Version: max(version, 1), // 0 would stand for the newest
	}
	if of := q.object("offsets"); of != nil {
		req.Offsets = readCommitted(of)
	}
	q.done()
	return action{group: req.GroupID, alike: acceptsSame, do: func(out outcome) {
		result := r.coordinator.CommitOffsets(r.now, req)
		out.answer(result.Error, committed(req.Offsets))
		out.put("records", r.records(result.Records))
	}}
}

// readCommitted reads offsets by topic and partition, sorted.
func readCommitted(of *fields) []protocol.TopicOffset {
	var out []protocol.TopicOffset
	for _, topic := range of.names() {
		partitions := of.object(topic)
		for _, name := range partitions.names() {
			n, err := strconv.ParseInt(name, 10, 32)
			if err != nil {
				partitions.wanted(name, "a partition's number as its name")
			}
			out = append(out, protocol.TopicOffset{Topic: topic, Partition: int32(n), Offset: partitions.int64(name, 0)})
		}
	}
	slices.SortStableFunc(out, func(a, b protocol.TopicOffset) int {
		return cmp.Or(cmp.Compare(a.Topic, b.Topic), cmp.Compare(a.Partition, b.Partition))
	})
	return out
}

// committed is the answer to a commit that was accepted, as Kafka's schema
// has it.
func committed(offsets []protocol.TopicOffset) object {
	var topics []any
	for i := 0; i < len(offsets); {
		topic := offsets[i].Topic
		var partitions []any
		for ; i < len(offsets) && offsets[i].Topic == topic; i++ {
			partitions = append(partitions, bare(object{"partitionIndex": int64(offsets[i].Partition)}))
		}
		topics = append(topics, object{"name": topic, "partitions": partitions})
	}
	return bare(object{"topics": topics})
}

// acceptsSame: a commit is accepted or refused as a whole, so that its answer
// says no more than which partitions it was about; recorders write that in
// several ways.
func acceptsSame(want any, got object) bool {
	w, ok := accepted(want)
	g, _ := accepted(got)
	return ok && maps.EqualFunc(w, g, slices.Equal)
}

// accepted reads which partitions of which topics an answer accepts; false
// when it says anything else.
func accepted(v any) (map[string][]int64, bool) {
	response, ok := v.(object)
	if !ok {
		return nil, false
	}
	topics, named := response["topics"]
	if !named {
		topics = response
	} else if len(response) > 1 {
		return nil, false
	}
	out := map[string][]int64{}
	switch topics := topics.(type) {
	case object:
		for name, partitions := range topics {
			if out[name], ok = acceptedPartitions(partitions); !ok {
				return nil, false
			}
		}
	case []any:
		for _, topic := range topics {
			in, _ := topic.(object)
			if out[field(topic, "name")], ok = acceptedPartitions(in["partitions"]); !ok {
				return nil, false
			}
		}
	}
	return out, true
}

// acceptedPartitions reads [{"partitionIndex":0}] or {"0":"NONE"} or [0].
func acceptedPartitions(v any) (out []int64, ok bool) {
	switch v := v.(type) {
	case object:
		for name, code := range v {
			n, err := strconv.ParseInt(name, 10, 32)
			if err != nil || !noError(code) {
				return nil, false
			}
			out = append(out, n)
		}
	case []any:
		for _, e := range v {
			n, plain := e.(int64)
			if part, ok := e.(object); ok && noError(part["errorCode"]) {
				n, _ = part["partitionIndex"].(int64)
			} else if !plain {
				return nil, false
			}
			out = append(out, n)
		}
	}
	slices.Sort(out)
	return out, true
}

func noError(code any) bool { return code == nil || code == int64(0) || code == "NONE" }
