package scenario_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/client"
	"groupscope/core/protocol"
	"groupscope/core/scenario"
	"groupscope/core/sim"
)

// FuzzParse: whatever a file holds, reading it ends, does not panic, and
// either gives a scenario or mistakes that lie inside the file. A scenario
// that was read can be cut and continued at each step, and is read again.
func FuzzParse(f *testing.F) {
	for _, pattern := range []string{"testdata/err/*.yaml", "../../scenarios/*.yaml"} {
		files, err := filepath.Glob(pattern)
		require.NoError(f, err)
		for _, file := range files {
			src, err := os.ReadFile(file)
			require.NoError(f, err)
			f.Add(src)
		}
	}
	for _, seed := range []string{"", "\ufeff{}", "[", "? a\n: b", "a: &x [*x]", "- - - -", "{\"groupscope\": 1}", jsonFile, "a: |\n b", "--- |\n%!PS", "'", "a\r\nb: \"\\x\""} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		sc, faults := scenario.Parse("fuzz.yaml", src)
		require.Equal(t, sc == nil, len(faults) > 0, "a scenario or mistakes, never both, never neither")
		checkPlaces(t, src, faults)
		if sc == nil {
			return
		}
		done := []scenario.Done{{Do: sim.FailOver{}}}
		for keep := range min(len(sc.Steps), 5) + 1 {
			again := scenario.Branch(sc, "kafka", keep, done, "Another way")
			branch, faults := scenario.Parse("branch.yaml", again)
			require.Empty(t, faults, "%s", again)
			require.Len(t, branch.Steps, keep+1)
			require.Equal(t, "Another way", branch.Title)
		}
	})
}

// checkPlaces holds every diagnostic to a place inside the file.
func checkPlaces(t *testing.T, src []byte, faults []scenario.Diagnostic) {
	t.Helper()
	plain := strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(strings.TrimPrefix(string(src), "\ufeff"))
	lines := strings.Split(plain, "\n")
	before := scenario.Diagnostic{}
	for _, d := range faults {
		require.True(t, d.Line > before.Line || d.Line == before.Line && d.Column >= before.Column, "sorted by place")
		before = d
		if len(src) > scenario.MaxFileBytes {
			continue
		}
		require.LessOrEqual(t, d.Line, len(lines), "%v", d)
		width := utf8.RuneCountInString(lines[d.Line-1])
		require.LessOrEqual(t, d.Column, width+1, "%v", d)
		require.LessOrEqual(t, d.Column+d.Length, width+2, "%v", d)
		require.NotEmpty(t, d.Message)
	}
}

const jsonFile = `{"groupscope": 1, "title": "JSON is YAML too", "rules": ["kip", "kafka"],
 "topics": {"foo": 3}, "members": {"A": {"subscribe": ["foo"]}},
 "steps": [{"step": "one", "join": "A"}, {"heartbeat": "A",
   "with": {"topicPartitions": {"foo": [0]}}}], "seed": 4}
`

// FuzzAction: what DecodeAction reads, EncodeAction writes so that it is read
// as the same.
func FuzzAction(f *testing.F) {
	for _, a := range everyAction {
		f.Add([]byte(scenario.EncodeAction(a)))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		a, faults := scenario.DecodeAction(src)
		require.Equal(t, a == nil, len(faults) > 0)
		checkPlaces(t, src, faults)
		if a == nil {
			return
		}
		again, faults := scenario.DecodeAction([]byte(scenario.EncodeAction(a)))
		require.Empty(t, faults, scenario.EncodeAction(a))
		assert.Equal(t, a, again)
	})
}

// everyAction has each action at least once, with everything it can say.
func of[T any](v T) *T { return &v }

var everyAction = []sim.Action{
	sim.Join{Member: "A"},
	sim.Heartbeat{Member: "A"},
	sim.Heartbeat{Member: "A", With: []sim.Override{
		{Field: "memberEpoch", Value: int32(-1)},
		{Field: "memberId", Value: "x y"},
		{Field: "instanceId", Value: "null"},
		{Field: "rackId"},
		{Field: "rebalanceTimeoutMs", Value: int32(60_000)},
		{Field: "subscribedTopicNames", Value: []string{"foo", "b.ar-1"}},
		{Field: "serverAssignor", Value: ""},
		{Field: "topicPartitions", Value: protocol.Assignment{{Topic: "bar#2", Partitions: []int32{0, 3}}, {Topic: "foo", Partitions: []int32{1}}}},
	}},
	sim.Heartbeat{Member: "A", With: []sim.Override{{Field: "topicPartitions", Value: protocol.Assignment{}}, {Field: "subscribedTopicNames", Value: []string{}}}},
	sim.Leave{Member: "A"},
	sim.Leave{Member: "A", Option: sim.LeaveGroup},
	sim.Leave{Member: "A", Option: sim.RemainInGroup},
	sim.Crash{Member: "A"},
	sim.Restart{Member: "A"},
	sim.Pause{Member: "A", For: scenario.DefaultPause},
	sim.Pause{Member: "A", For: 1500},
	sim.Subscribe{Member: "A", Topics: []string{"foo", "bar"}},
	sim.Subscribe{Member: "A", Topics: []string{}},
	sim.LoseRequest{Member: "A", Count: 1},
	sim.LoseRequest{Member: "A", Count: 3},
	sim.LoseResponse{Member: "A", Count: 1},
	sim.Delay{Member: "A", By: 1234, Count: 1},
	sim.Delay{Member: "A", By: 2000, Response: true, Count: 2},
	sim.Duplicate{Member: "A", Count: 1},
	sim.Duplicate{Member: "A", Count: 2, After: 40},
	sim.Disconnect{Member: "A"},
	sim.Partition{Member: "A", For: 30_000},
	sim.FailCallback{Member: "A", Callback: client.PartitionsAssigned, Count: 1},
	sim.FailCallback{Member: "A", Callback: client.PartitionsLost, Count: 3},
	sim.BrokerError{Error: protocol.CoordinatorLoadInProgress, For: 1500},
	sim.BrokerError{Error: protocol.NotCoordinator, For: 1500, Lookup: true},
	sim.ChangeMember{Member: "A", To: sim.MemberChange{
		InstanceID: of("i-1"), RackID: of("r1"), Assignor: of("range"), RebalanceTimeout: of(protocol.Minute),
		Latency: &sim.Range{Min: 5, Max: 20}, RevokeTime: of(30 * protocol.Second), AssignTime: of(protocol.Duration(0)),
		LostTime: of(protocol.Second), Poll: of(protocol.Second), AutoCommit: of(true),
		Quirks: []client.Quirk{client.NeverSendsLeave, client.IgnoresEmptyAssignment},
	}},
	sim.ChangeMember{Member: "A", To: sim.MemberChange{Latency: &sim.Range{Min: 5, Max: 5}, AutoCommit: of(false), Quirks: []client.Quirk{}, Classic: of(true)}},
	sim.ChangeMember{Member: "A", To: sim.MemberChange{Classic: of(false)}},
	sim.SetTopics{Topics: []protocol.Topic{{ID: "foo", Name: "foo", Partitions: 6}}, Delay: 9_000},
	sim.FailOver{},
	sim.SetTopics{Topics: []protocol.Topic{{ID: "foo", Name: "foo", Partitions: 6}, {ID: "bar", Name: "bar"},
		{ID: "racked", Name: "racked", Partitions: 2, Racks: [][]string{{"r1", "r2"}, {"r3"}}}}},
	sim.SetTopics{Topics: []protocol.Topic{{ID: "foo", Name: "foo", Partitions: 6}, {ID: "bar", Name: "bar", Partitions: 1}}, Hidden: []string{"foo"}},
	sim.Subscribe{Member: "A", Regex: "ev.*|orders-[0-9]+"},
	sim.CommitOffsets{Member: "A", Offset: 100},
	sim.CommitOffsets{Member: "A", Offset: 7, With: []sim.Override{{Field: "memberEpoch", Value: int32(2)}, {Field: "topicPartitions", Value: protocol.Assignment{{Topic: "foo", Partitions: []int32{1}}}}}},
	sim.FetchOffsets{Member: "A"},
	sim.FetchOffsets{Member: "A", With: []sim.Override{{Field: "memberId", Value: "B"}}},
	sim.SetGroupConfig{},
	sim.SetGroupConfig{Settings: []sim.GroupSetting{{Name: "consumer.heartbeat.interval.ms", Value: "3000"}, {Name: "consumer.session.timeout.ms", Value: "50000"}}},
	sim.ResolveRegexes{},
	sim.Describe{},
	sim.Cleanup{},
	sim.DeleteGroup{},
	sim.SendRequest{With: []sim.Override{{Field: "memberId", Value: "X"}, {Field: "memberEpoch", Value: int32(0)}, {Field: "subscribedTopicRegex", Value: ".*"}, {Field: "rackId"}}},
	sim.Run{For: 30_000},
	sim.Until{At: 40_000},
	sim.Advance{For: 45_001},
}
