package conformance

import (
	"groupscope/core/client"
	"groupscope/core/protocol"
)

// answer is what a coordinator answers: an error, or one of the responses.
type answer struct {
	consumer protocol.ConsumerGroupHeartbeatResponse
	streams  *protocol.StreamsGroupHeartbeatResponse // to a streams client, in place of consumer
	recorded object                                  // as the trace has it, if it is the trace's
}

// failed is an answer that is an error, to a client of either protocol.
func failed(code protocol.ErrorCode, streams bool) *answer {
	if streams {
		return &answer{streams: &protocol.StreamsGroupHeartbeatResponse{Error: code}}
	}
	return &answer{consumer: protocol.ConsumerGroupHeartbeatResponse{Error: code}}
}

// RequestWords is a heartbeat in the words of a trace: a field that is not
// sent is absent.
func RequestWords(s *client.Send) map[string]any {
	if s.Streams != nil {
		return streamsRequestWords(s.Streams)
	}
	q := &s.Request
	out := object{"memberId": q.MemberID, "memberEpoch": int64(q.MemberEpoch)}
	for name, v := range map[string]*string{
		"instanceId": q.InstanceID, "rackId": q.RackID, "serverAssignor": q.ServerAssignor, "subscribedTopicRegex": q.SubscribedTopicRegex,
	} {
		if v != nil {
			out[name] = *v
		}
	}
	if q.RebalanceTimeoutMs != -1 {
		out["rebalanceTimeoutMs"] = int64(q.RebalanceTimeoutMs)
	}
	if q.SubscribedTopicNames != nil {
		out["subscribedTopicNames"] = texts(q.SubscribedTopicNames)
	}
	if q.TopicPartitions != nil {
		out["topicPartitions"] = tree(q.TopicPartitions)
	}
	return out
}

// words is an answer as a response event has it.
func (a *answer) words() object {
	if a.recorded != nil {
		return object{"response": a.recorded}
	}
	return AnswerWords(&a.consumer, a.streams)
}

// AnswerWords is what a response event of a run says of an answer; streams is
// nil for that of a consumer. The member id is left out.
func AnswerWords(consumer *protocol.ConsumerGroupHeartbeatResponse, streams *protocol.StreamsGroupHeartbeatResponse) map[string]any {
	code, out := consumer.Error, object(nil)
	if streams != nil {
		code, out = streams.Error, streamsResponse(streams)
	} else {
		out = consumerResponse(consumer)
	}
	if code != protocol.None {
		return object{"error": object{"code": code.String()}}
	}
	delete(out, "memberId")
	return object{"response": out}
}

// CallbackWords is what a callback event of a run says of one.
func CallbackWords(o client.Callback) map[string]any {
	out := object{"what": o.What.String(), "phase": "start"}
	if !o.Done {
		out["partitions"] = byTopic(o.Partitions)
		if o.What == client.TasksAssigned {
			out["partitions"] = taskWords(o.Partitions, o.Standby, o.Warmup, o.Ready)
		}
		return out
	}
	out["phase"] = "end"
	if o.Failed {
		out["failed"] = true
	}
	return out
}

// ChangedWords is a client's state. Of one that is no more there is nothing
// else to tell.
func ChangedWords(o client.Changed) map[string]any {
	out := object{"state": o.State.String()}
	if o.State != client.Closed && o.State != client.Crashed {
		out["memberEpoch"], out["owned"] = int64(o.Epoch), byTopic(o.Owned)
		if o.Standby != nil {
			out["owned"] = taskWords(o.Owned, o.Standby, o.Warmup, o.Ready)
		}
	}
	return out
}

// byTopic is partitions by the name of their topic, as an application knows
// them.
func byTopic(a protocol.Assignment) object {
	var ps []protocol.Partition
	for _, p := range a.Partitions() {
		ps = append(ps, protocol.Partition{Topic: protocol.TopicID(p.Topic.Name()), Number: p.Number})
	}
	return tree(protocol.NewAssignment(ps))
}
