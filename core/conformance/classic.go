package conformance

import (
	"groupscope/core/coordinator"
	"groupscope/core/protocol"
)

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

func (r *runner) completed(list []coordinator.Completion) []any { return nil }

func (r *runner) readClassicJoin(f *fields) action      { return r.notYet(f) }
func (r *runner) readClassicSync(f *fields) action      { return r.notYet(f) }
func (r *runner) readClassicHeartbeat(f *fields) action { return r.notYet(f) }
func (r *runner) readClassicLeave(f *fields) action     { return r.notYet(f) }

func (r *runner) notYet(f *fields) action {
	f.r.fault("op", "not run yet")
	return action{}
}
