package client_test

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"groupscope/core/protocol"
)

// A trace is one deterministic run of real Java clients against the real
// coordinator, reduced to what judges a client: what it was told and what it
// did, to the millisecond since the start of the run.
type trace struct {
	Name       string
	Protocol   string // "": consumers
	Config     traceConfig
	Topics     []string
	Topology   traceTopology
	DurationMs int64
	Members    []traceMember
	Actions    []traceAction
	Events     []traceEvent
}

type traceConfig struct {
	MetadataMs *int64
}

type traceMember struct {
	ID, InstanceID, RackID, ServerAssignor string
	Topics                                 []string
	Regex                                  string
	StartMs, MaxPollIntervalMs, PollMs     int64
	AutoCommit                             bool
	Process                                string
	Endpoint                               *protocol.Endpoint
	ClientTags                             map[string]string
	Topology                               traceTopology
}

type traceAction struct {
	AtMs       int64
	Op, Member string
	DurMs      int64
	Option     string
	Topics     []string
	Regex      string
	Offsets    map[string][2]int64
}

type traceEvent struct {
	AtMs, ArriveMs           int64
	Type, Member             string
	Phase, What, State, Lost string
	Failure                  string
	Failed                   bool
	Code                     string
	Topics                   []string
	MemberEpoch              int32
	Owned, Partitions        json.RawMessage
	Request                  *traceRequest
	Response                 *traceResponse
	Error                    json.RawMessage
}

type traceRequest struct {
	MemberID, InstanceID, RackID, ServerAssignor *string
	MemberEpoch                                  int32
	RebalanceTimeoutMs                           *int32
	SubscribedTopicNames                         []string
	SubscribedTopicRegex                         *string
	TopicPartitions                              map[string][]int32
	traceStreamsRequest
}

type traceResponse struct {
	MemberEpoch, HeartbeatIntervalMs int32
	Assignment                       map[string][]int32
	traceStreamsResponse
}

// request is the trace's request as a message of ours.
func (r *traceRequest) message() protocol.ConsumerGroupHeartbeatRequest {
	out := protocol.ConsumerGroupHeartbeatRequest{
		MemberID:             *r.MemberID,
		MemberEpoch:          r.MemberEpoch,
		InstanceID:           r.InstanceID,
		RackID:               r.RackID,
		RebalanceTimeoutMs:   -1,
		SubscribedTopicNames: r.SubscribedTopicNames,
		SubscribedTopicRegex: r.SubscribedTopicRegex,
		ServerAssignor:       r.ServerAssignor,
		TopicPartitions:      assignment(r.TopicPartitions),
	}
	if r.RebalanceTimeoutMs != nil {
		out.RebalanceTimeoutMs = *r.RebalanceTimeoutMs
	}
	return out
}

// answer is what a response event brings.
func (e *traceEvent) answer(t *testing.T) protocol.ConsumerGroupHeartbeatResponse {
	if e.Response == nil {
		return protocol.ConsumerGroupHeartbeatResponse{Error: e.code(t)}
	}
	return protocol.ConsumerGroupHeartbeatResponse{
		MemberID:            e.Member,
		MemberEpoch:         e.Response.MemberEpoch,
		HeartbeatIntervalMs: e.Response.HeartbeatIntervalMs,
		Assignment:          assignment(e.Response.Assignment),
	}
}

func (e *traceEvent) code(t *testing.T) protocol.ErrorCode {
	var failure struct{ Code string }
	require.NoError(t, json.Unmarshal(e.Error, &failure))
	code, ok := protocol.ParseErrorCode(failure.Code)
	require.True(t, ok, failure.Code)
	return code
}

// assignment keeps nil apart from present and empty.
func assignment(m map[string][]int32) protocol.Assignment {
	if m == nil {
		return nil
	}
	var ps []protocol.Partition
	for topic, numbers := range m {
		for _, n := range numbers {
			ps = append(ps, protocol.Partition{Topic: protocol.TopicID(topic), Number: n})
		}
	}
	return protocol.NewAssignment(ps)
}

func readTraces(t *testing.T, archive string) []trace {
	f, err := os.Open(archive)
	require.NoError(t, err)
	defer f.Close()
	unzipped, err := gzip.NewReader(f)
	require.NoError(t, err)
	lines := bufio.NewScanner(unzipped)
	lines.Buffer(nil, 1<<24)
	var out []trace
	for lines.Scan() {
		var tr trace
		require.NoError(t, json.Unmarshal(lines.Bytes(), &tr))
		out = append(out, tr)
	}
	require.NoError(t, lines.Err())
	return out
}
