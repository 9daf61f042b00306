package conformance

import (
	"cmp"
	"slices"
	"strconv"

	"groupscope/core/protocol"
)

// readCommitOffset reads {"memberId":"A","memberEpoch":2,"offsets":{"foo":{"0":5}}}.
func (r *runner) readCommitOffset(f *fields) action {
	q := f.object("request")
	if q == nil {
		f.wanted("request", "an object")
		return action{}
	}
	req := protocol.OffsetCommitRequest{
		GroupID: r.groupOf(q), MemberID: q.text("memberId"), GenerationIDOrMemberEpoch: q.int32("memberEpoch", -1),
		GroupInstanceID: q.pointer("instanceId"), Version: f.int16("apiVersion", 0),
	}
	f.text("clientId")
	of := q.object("offsets")
	if of == nil {
		q.wanted("offsets", "topics, partitions and offsets")
		return action{}
	}
	for _, topic := range of.names() {
		byPartition := of.object(topic)
		for _, name := range byPartition.names() {
			n, err := strconv.ParseInt(name, 10, 32)
			if err != nil {
				byPartition.wanted(name, "a partition's number as its name")
			}
			req.Offsets = append(req.Offsets, protocol.TopicOffset{Topic: topic, Partition: int32(n), Offset: byPartition.int64(name, 0)})
		}
	}
	slices.SortStableFunc(req.Offsets, func(a, b protocol.TopicOffset) int {
		return cmp.Or(cmp.Compare(a.Topic, b.Topic), cmp.Compare(a.Partition, b.Partition))
	})
	q.done()
	return action{req.GroupID, func(out outcome) {
		result := r.coordinator.CommitOffsets(r.now, req)
		out.answer(result.Error, committed(req.Offsets))
		out.put("records", r.records(result.Records))
	}}
}

// committed is the answer to an offset commit that was accepted.
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
