package board_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"groupscope/core/playback"
	"groupscope/core/protocol"
	"groupscope/core/sim"
	"groupscope/render/board"
	"groupscope/render/scene"
)

// said are the titles of a streams message and its answer on the board.
func said(t *testing.T, q protocol.StreamsGroupHeartbeatRequest, a protocol.StreamsGroupHeartbeatResponse) (request, answer string) {
	t.Helper()
	const seq = 900
	a.MemberEpoch = 5
	res := protocol.ConsumerGroupHeartbeatResponse{Error: a.Error, MemberEpoch: a.MemberEpoch, Assignment: a.Tasks.Active}
	req := protocol.ConsumerGroupHeartbeatRequest{MemberEpoch: q.MemberEpoch, TopicPartitions: q.Owned.Active}
	st := enrich()
	f := &playback.Frame{State: st, Now: st.At, Age: playback.Settled, Events: []sim.Event{
		{Seq: seq, What: sim.Sent{Member: "s1", Request: req, Streams: &q}},
		{Seq: seq + 1, Cause: seq, What: sim.Handled{Member: "s1", Request: req, Response: res, Streams: &sim.StreamsExchange{Request: &q, Response: &a}}},
	}}
	s := &scene.Scene{}
	board.Group(s, f, &board.View{Width: 1600})
	for _, r := range s.Regions {
		switch r.ID {
		case "message/900":
			request = r.Title
		case "message/901":
			answer = r.Title
		}
	}
	return request, answer
}

// roles are present lists, as in a full heartbeat.
func roles(active, standby, warmup string) protocol.Tasks {
	return protocol.Tasks{Active: set(active), Standby: set(standby), Warmup: set(warmup)}
}

func TestAStreamsArrowSaysWhatTheMemberRuns(t *testing.T) {
	for want, q := range map[string]protocol.StreamsGroupHeartbeatRequest{
		"at epoch 0: joins":                              {Owned: roles("", "", "")},
		"at epoch -1: leaves":                            {MemberEpoch: -1},
		"at epoch -2: leaves, returns":                   {MemberEpoch: -2},
		"at epoch 4: heartbeat":                          {MemberEpoch: 4},
		"at epoch 4: runs nothing":                       {MemberEpoch: 4, Owned: roles("", "", "")},
		"at epoch 4: runs 0_0, 0_1":                      {MemberEpoch: 4, Owned: roles("0 0 1", "", "")},
		"at epoch 4: runs 4 tasks; standby 1_0":          {MemberEpoch: 4, Owned: roles("0 0 1 2 3", "1 0", "")},
		"at epoch 4: runs 0_0; standby 1_0; warm-up 1_2": {MemberEpoch: 4, Owned: roles("0 0", "1 0", "1 2")},
		"at epoch 4: tells its offsets":                  {MemberEpoch: 4, TaskOffsets: []protocol.TaskOffset{{Task: protocol.Partition{Topic: "1"}, Offset: 7}}},
		"at epoch 4: shut down all":                      {MemberEpoch: 4, ShutdownApplication: true},
	} {
		got, _ := said(t, q, protocol.StreamsGroupHeartbeatResponse{})
		assert.Equal(t, "s1 sends, "+want, got)
	}
}

func TestAStreamsAnswerGivesTasksByRoleAndStatusesFirst(t *testing.T) {
	status := func(codes ...protocol.StatusCode) (out []protocol.Status) {
		for _, c := range codes {
			out = append(out, protocol.Status{Code: c})
		}
		return out
	}
	for want, a := range map[string]protocol.StreamsGroupHeartbeatResponse{
		" with epoch 5: no change":                            {},
		" with epoch 5: nothing":                              {Tasks: roles("", "", "")},
		" with epoch 5: 0_0; standby 1_0; warm-up 1_2":        {Tasks: roles("0 0", "1 0", "1 2")},
		" with epoch 5: missing source topics":                {Tasks: roles("", "", ""), Status: status(protocol.MissingSourceTopics)},
		" with epoch 5: stale topology, 0_0":                  {Tasks: roles("0 0", "", ""), Status: status(protocol.StaleTopology)},
		" with epoch 5: stale topology, shutdown application": {Status: status(protocol.StaleTopology, protocol.ShutdownApplication)},
		" with epoch 5: endpoints":                            {PartitionsByUserEndpoint: []protocol.EndpointPartitions{}},
		": FENCED_MEMBER_EPOCH":                               {Error: protocol.FencedMemberEpoch},
	} {
		_, got := said(t, protocol.StreamsGroupHeartbeatRequest{MemberEpoch: 5}, a)
		assert.Equal(t, "The coordinator answers s1"+want, got)
	}
}
