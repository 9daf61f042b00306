package scenario_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/client"
	"groupscope/core/protocol"
	"groupscope/core/scenario"
	"groupscope/core/sim"
)

var upgraded = &protocol.Topology{Epoch: 2, Subtopologies: []protocol.Subtopology{
	{ID: "0", SourceTopics: []string{"left", "right"}, RepartitionSinkTopics: []string{"by-user"},
		CopartitionGroups: []protocol.CopartitionGroup{{SourceTopics: []int16{0, 1}}}},
	{ID: "1", RepartitionSourceTopics: []protocol.TopicInfo{{Name: "by-user", Partitions: 6}}, StateChangelogTopics: []protocol.TopicInfo{{Name: "counts"}}},
}}

// streamsActions are the actions that only streams groups know.
func streamsActions() []sim.Action {
	task := func(n int32) protocol.Partition { return protocol.Partition{Topic: "0", Number: n} }
	after, process, ignores := 10*protocol.Second, "one", true
	return []sim.Action{
		sim.ShutDown{Member: "A"},
		sim.ReportOffsets{Member: "A", Tasks: []client.TaskProgress{{Task: task(0), Offset: 5, End: 10}, {Task: task(12), End: 3}}},
		sim.ReportOffsets{Member: "A", Tasks: []client.TaskProgress{}},
		sim.InternalTopics{}, sim.InternalTopics{Creation: sim.Creation{Refused: true}}, sim.InternalTopics{Creation: sim.Creation{After: &after}},
		sim.FailCallback{Member: "A", Callback: client.TasksAssigned, Count: 2},
		sim.ChangeMember{Member: "A", To: sim.MemberChange{Streams: sim.StreamsChange{
			Process: &process, Endpoint: &protocol.Endpoint{Host: "h1", Port: 9000}, Tags: []protocol.Tag{{Key: "rack", Value: "r1"}, {Key: "zone", Value: "z1"}},
			Topology: upgraded, Restore: &client.Restore{Rate: 100, End: 2000}, IgnoresStatus: &ignores,
		}}},
		sim.Heartbeat{Member: "A", With: []sim.Override{
			{Field: "memberEpoch", Value: int32(0)}, {Field: "topology", Value: upgraded}, {Field: "endpointInformationEpoch", Value: int32(3)},
			{Field: "activeTasks", Value: protocol.NewAssignment([]protocol.Partition{task(0), task(3)})}, {Field: "standbyTasks", Value: protocol.Assignment{}},
			{Field: "warmupTasks"}, {Field: "processId", Value: "one"}, {Field: "userEndpoint", Value: &protocol.Endpoint{Host: "h1", Port: 9000}},
			{Field: "clientTags", Value: []protocol.Tag{{Key: "zone", Value: "z1"}}}, {Field: "taskOffsets", Value: []protocol.TaskOffset{{Task: task(0), Offset: 7}}},
			{Field: "taskEndOffsets", Value: []protocol.TaskOffset{}}, {Field: "shutdownApplication", Value: true},
		}},
	}
}

func TestAnActionOfAStreamsGroupIsReadAsItIsWritten(t *testing.T) {
	for _, a := range streamsActions() {
		line := scenario.EncodeAction(a)
		again, faults := scenario.DecodeAction([]byte(line))
		require.Empty(t, faults, line)
		assert.Equal(t, a, again, line)
	}
}

const streamsHead = "groupscope: 1\ntitle: t\nprotocol: streams\nrules: [kip, kafka]\ntopics: {in: 2}\n" +
	"config: {group.streams.initial.rebalance.delay.ms: 0, group.streams.assignment.interval.ms: 0}\n" +
	"topology: {subtopologies: {0: {source: [in], changelog: [counts]}}}\n"

func TestAStreamsFileMakesAStreamsWorld(t *testing.T) {
	sc, faults := scenario.Parse("s.yaml", []byte(streamsHead+`
topologies: {v2: {epoch: 1, subtopologies: {0: {source: [in]}}}}
internal-topics: 10s
members:
  A: {process: one, endpoint: "h1:9000", tags: {zone: z1}, restore: {rate: 10, end: 100}, instance: i1}
  B: {topology: v2, ignores-status: true, quirks: [keeps-old-status]}
steps: []
`))
	require.Empty(t, faults)
	s := sc.Setup("kafka")
	assert.Equal(t, "streams", sc.Protocol)
	assert.Equal(t, 10*protocol.Second, *s.InternalTopics.After)
	assert.Equal(t, []protocol.TopicInfo{{Name: "counts"}}, s.Topology.Subtopologies[0].StateChangelogTopics)
	assert.Equal(t, protocol.Duration(0), s.Config.Streams.InitialRebalanceDelay)
	assert.Equal(t, sim.StreamsSetup{
		Process: "one", Endpoint: &protocol.Endpoint{Host: "h1", Port: 9000}, Tags: []protocol.Tag{{Key: "zone", Value: "z1"}},
		Restore: &client.Restore{Rate: 10, End: 100},
	}, s.Members[0].Streams)
	assert.Equal(t, int32(1), s.Members[1].Streams.Topology.Epoch)
	assert.True(t, s.Members[1].Streams.IgnoresStatus)
}

func TestTheSizeOfARepartitionTopicStandsWhereItIsRead(t *testing.T) {
	const file = `groupscope: 1
title: t
protocol: streams
topics: {in: 2}
topology:
  subtopologies:
    0: {source: [in], repartition-sink: %s}
    1: {repartition-source: {rep: 6}}
members: {A: {}}
steps: []
`
	sc, faults := scenario.Parse("s.yaml", []byte(fmt.Sprintf(file, "[rep]")))
	require.Empty(t, faults)
	assert.Equal(t, []protocol.TopicInfo{{Name: "rep", Partitions: 6}}, sc.Setup("kip").Topology.Subtopologies[1].RepartitionSourceTopics)
	_, faults = scenario.Parse("s.yaml", []byte(fmt.Sprintf(file, "{rep: 2}")))
	require.Len(t, faults, 1)
	assert.Equal(t, "s.yaml:7:47: a repartition-sink is a name and has no size. "+
		"Say how many partitions where the topic is read: repartition-source; here write repartition-sink: [rep]", faults[0].String())
}

func TestTheDelayOfTheFirstTargetIsTheRuleSetsUnlessTheFileSetsIt(t *testing.T) {
	sc, faults := scenario.Parse("s.yaml", []byte("groupscope: 1\ntitle: t\nprotocol: streams\ntopics: {in: 2}\n"+
		"topology: {subtopologies: {0: {source: [in]}}}\nmembers: {A: {}}\nsteps: []\n"))
	require.Empty(t, faults)
	assert.Equal(t, 3*protocol.Second, sc.Setup("kafka").Config.Streams.InitialRebalanceDelay)
	assert.Zero(t, sc.Setup("kip").Config.Streams.InitialRebalanceDelay)
}

// TestExpectationsOfStreamsGroups meets one of each kind, and then fails one
// of each kind with a message that names tasks.
func TestExpectationsOfStreamsGroups(t *testing.T) {
	steps := `
internal-topics: refused
members: {A: {endpoint: "h1:9000"}, B: {}}
steps:
  - join: A
    expect:
      response: {member: A, active: %s, status: [MISSING_INTERNAL_TOPICS], error: NONE, endpoints: ["h1:9000"]}
      records: [19A, 23, 17, 21A, 20, 22A]
      group: {state: NotReady, topology-epoch: 0}
  - heartbeat: A
    expect: {group: {status: MISSING_INTERNAL_TOPICS, missing: [counts]}}
  - internal-topics: created
  - run: 12s
  - join: B
  - run: 20s
    expect:
      response: {active: absent, standby: absent, status: []}
      group: {state: Stable, missing: [], status: []}
      members:
        A: {state: STABLE, owns: [0_0], waits: [], standby: [], target-standby: [], topology-epoch: 0, client: {owns: {0: [0]}, status: []}}
        B: {owns: %s, client: {endpoint-epoch: %s}}
      unowned: []
`
	run := func(active, owns, epoch string) []scenario.Unmet {
		sc, faults := scenario.Parse("s.yaml", []byte(streamsHead+fmt.Sprintf(steps, active, owns, epoch)))
		require.Empty(t, faults)
		out, err := scenario.Run(sc, "kafka")
		require.NoError(t, err)
		require.Nil(t, out.Refusal)
		return out.Unmet
	}
	require.Empty(t, run("{}", "[0_1]", "2"))
	unmet := run("[0_0]", "[0_0, 0_1]", "7")
	require.Len(t, unmet, 3)
	assert.Equal(t, "response.active: expected [0_0], got [] (0_0 is missing)", unmet[0].Message)
	assert.Equal(t, "members.B.owns: expected [0_0, 0_1], got [0_1] (0_0 is missing)", unmet[1].Message)
	assert.Equal(t, "members.B.client.endpoint-epoch: expected 7, got 2", unmet[2].Message)
}

func TestEndpointsAreComparedWithThePartitionsThatEachCanBeAskedFor(t *testing.T) {
	unmet := func(endpoints string) []string {
		sc, faults := scenario.Parse("s.yaml", []byte(streamsHead+`
internal-topics: refused
members: {A: {endpoint: "h1:9000"}}
steps:
  - topics: {counts: 2}
  - join: A
    expect: {response: {endpoints: `+endpoints+"}}\n"))
		require.Empty(t, faults)
		out, err := scenario.Run(sc, "kafka")
		require.NoError(t, err)
		var said []string
		for _, u := range out.Unmet {
			said = append(said, u.Message)
		}
		return said
	}
	for _, met := range []string{`["h1:9000"]`, `{"h1:9000": [in-0, in-1]}`, `{"h1:9000": {in: [0, 1]}}`, `{"h1:9000": {active: {in: [0, 1]}, standby: []}}`} {
		assert.Empty(t, unmet(met), met)
	}
	assert.Equal(t, []string{"response.endpoints.h1:9000.active: expected [in-0], got [in-0, in-1] (in-1 was not expected)"}, unmet(`{"h1:9000": [in-0]}`))
	assert.Equal(t, []string{
		"response.endpoints: expected [h2:1], got [h1:9000]", "response.endpoints.h2:1.standby: expected [], got absent",
	}, unmet(`{"h2:1": {standby: []}}`))
}
