package sim_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"groupscope/core/client"
	"groupscope/core/protocol"
	"groupscope/core/rules"
	"groupscope/core/sim"
)

func TestAnActionIsAboutItsMemberOrAboutNone(t *testing.T) {
	for _, a := range []sim.Action{
		sim.Join{Member: "A"}, sim.Heartbeat{Member: "A"}, sim.Leave{Member: "A"}, sim.Crash{Member: "A"},
		sim.Restart{Member: "A"}, sim.Pause{Member: "A"}, sim.Subscribe{Member: "A"}, sim.LoseRequest{Member: "A"},
		sim.LoseResponse{Member: "A"}, sim.Delay{Member: "A"}, sim.Disconnect{Member: "A"},
		sim.Duplicate{Member: "A"}, sim.Partition{Member: "A"}, sim.FailCallback{Member: "A"}, sim.ChangeMember{Member: "A"},
		sim.CommitOffsets{Member: "A"}, sim.FetchOffsets{Member: "A"},
	} {
		assert.Equal(t, "A", sim.MemberOf(a), "%T", a)
	}
	for _, a := range []sim.Action{sim.FailOver{}, sim.SetTopics{}, sim.BrokerError{}, sim.DeleteGroup{}, sim.Cleanup{}, sim.Describe{},
		sim.ResolveRegexes{}, sim.SetGroupConfig{}, sim.SendRequest{}, sim.Run{}, sim.Until{}, sim.Advance{}, nil} {
		assert.Empty(t, sim.MemberOf(a), "%T", a)
	}
}

// A world's option is its client's: whatever the client adds, a step can say.
func TestALeaveSendsTheEpochOfItsOption(t *testing.T) {
	for option, want := range map[client.LeaveOption]int32{
		client.LeaveDefault: protocol.EpochStaticAbsent, client.LeaveGroup: protocol.EpochLeaving,
		client.RemainInGroup: protocol.EpochStaticAbsent,
	} {
		w := staticMember(t, rules.Kafka())
		sent := only[sim.Sent](must(t, w, join("A"), sim.Leave{Member: "A", Option: option}))
		assert.Equal(t, want, sent[len(sent)-1].Request.MemberEpoch)
	}
}
