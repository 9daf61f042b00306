package client_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/client"
	"groupscope/core/protocol"
)

// talk is a streams client that is told by a test what the coordinator
// answers. Its callbacks take no time.
type talk struct {
	*client.Client
	t       *testing.T
	now     protocol.Instant
	sent    []protocol.StreamsGroupHeartbeatRequest
	called  []string
	states  []client.State
	ended   []protocol.StatusCode
	waiting []waiting
	during  func(client.CallbackKind) // while the application is called
}

// waiting is a request without an answer.
type waiting struct {
	id    uint32
	leave bool
}

var twoPartTopology = protocol.Topology{Subtopologies: []protocol.Subtopology{
	{ID: "0", SourceTopics: []string{"a", "in"}, RepartitionSinkTopics: []string{"rep"},
		CopartitionGroups: []protocol.CopartitionGroup{{SourceTopics: []int16{0, 1}}}},
	{ID: "1", StateChangelogTopics: []protocol.TopicInfo{{Name: "cl"}}, RepartitionSourceTopics: []protocol.TopicInfo{{Name: "rep"}}},
}}

func newTalk(t *testing.T, cfg client.Config) *talk {
	cfg.GroupID, cfg.MemberID = "app", "A"
	if cfg.Streams == nil {
		cfg.Streams = &client.StreamsConfig{}
	}
	if cfg.Streams.Topology == nil {
		cfg.Streams.Topology = &twoPartTopology
	}
	k := &talk{Client: client.New(cfg), t: t, now: start}
	k.note(k.Start(k.now, client.Subscription{}, nil))
	return k
}

// note writes down what the client did, and does at once what it waits for.
func (k *talk) note(outs []client.Output) {
	for _, o := range append([]client.Output(nil), outs...) {
		switch o := o.(type) {
		case client.Send:
			k.sent = append(k.sent, *o.Streams)
			k.waiting = append(k.waiting, waiting{o.ID, o.Streams.MemberEpoch < 0})
		case client.FindCoordinator:
			k.note(k.Found(k.now, false))
		case client.Callback:
			if !o.Done {
				k.called = append(k.called, o.What.String()+" "+calledText(o))
				if k.during != nil {
					k.during(o.What)
				}
				k.note(k.CallbackReturned(k.now))
			}
		case client.Changed:
			k.states = append(k.states, o.State)
		case client.ThreadEnded:
			k.ended = append(k.ended, o.Why)
		}
	}
}

// answer answers the oldest request: with tasks if there are any.
func (k *talk) answer(epoch int32, tasks protocol.Tasks, status ...protocol.StatusCode) {
	k.t.Helper()
	resp := protocol.StreamsGroupHeartbeatResponse{
		MemberEpoch: epoch, HeartbeatIntervalMs: 5000, TaskOffsetIntervalMs: 60000, AcceptableRecoveryLag: 100, Tasks: tasks,
	}
	for _, s := range status {
		resp.Status = append(resp.Status, protocol.Status{Code: s})
	}
	k.reply(resp)
}

func (k *talk) reply(resp protocol.StreamsGroupHeartbeatResponse) {
	k.t.Helper()
	require.NotEmpty(k.t, k.waiting, "nothing to answer")
	id := k.waiting[0].id
	k.waiting = k.waiting[1:]
	k.note(k.AnswerStreams(k.now, id, resp))
}

// passes lets time go by, with an answer of nothing new to every heartbeat.
func (k *talk) passes(d protocol.Duration, epoch int32, status ...protocol.StatusCode) {
	k.t.Helper()
	for end := k.now.Add(d); ; {
		for len(k.waiting) > 0 {
			if k.waiting[0].leave {
				k.reply(protocol.StreamsGroupHeartbeatResponse{MemberEpoch: -1})
			} else {
				k.answer(epoch, protocol.Tasks{}, status...)
			}
		}
		next, ok := k.NextDeadline(k.now)
		if !ok || next > end {
			k.now = end
			return
		}
		k.now = next
		k.note(k.Wake(k.now))
	}
}

func (k *talk) last() *protocol.StreamsGroupHeartbeatRequest { return &k.sent[len(k.sent)-1] }

func tasks(active, standby, warmup string) protocol.Tasks {
	list := func(s string) protocol.Assignment {
		out := []protocol.Partition{}
		for i := 0; i+2 < len(s)+1; i += 4 {
			out = append(out, task(s[i:i+1], int32(s[i+2]-'0')))
		}
		return protocol.NewAssignment(out)
	}
	return protocol.Tasks{Active: list(active), Standby: list(standby), Warmup: list(warmup)}
}

func TestWhatTheApplicationGaveUpIsNotRunWhileItTakesUpWhatItGot(t *testing.T) {
	k := newTalk(t, client.Config{})
	k.answer(2, tasks("0_0 0_1", "", ""))
	k.passes(5*protocol.Second, 2)
	runs := map[client.CallbackKind]string{}
	k.during = func(what client.CallbackKind) { runs[what] = k.Tasks().Active.String() }
	k.passes(protocol.Second, 2)
	k.now = k.now.Add(4 * protocol.Second)
	k.note(k.Wake(k.now))
	k.answer(3, tasks("0_1 1_0", "", ""))
	assert.Equal(t, map[client.CallbackKind]string{client.TasksRevoked: "0 [0, 1]", client.TasksAssigned: "0 [1]"}, runs)
	assert.Equal(t, "0 [1], 1 [0]", k.Tasks().Active.String())
}

func TestAnUnknownSubtopologyIsFatal(t *testing.T) {
	k := newTalk(t, client.Config{})
	k.answer(2, tasks("9_0", "", ""))
	assert.Equal(t, client.Fatal, k.State())
	assert.Equal(t, []string{"onAllTasksLost nothing"}, k.called)
}

func TestPartOfTheListsIsFatal(t *testing.T) {
	k := newTalk(t, client.Config{})
	k.answer(2, protocol.Tasks{Active: protocol.Assignment{}})
	assert.Equal(t, client.Fatal, k.State())
}

func TestAGroupThatIsGoneIsFatalAlsoForALeave(t *testing.T) {
	k := newTalk(t, client.Config{})
	k.answer(2, tasks("", "", ""))
	k.answer(2, protocol.Tasks{})
	k.note(k.Unsubscribe(k.now))
	require.Equal(t, int32(-1), k.last().MemberEpoch)
	k.reply(protocol.StreamsGroupHeartbeatResponse{Error: protocol.GroupIDNotFound})
	assert.Equal(t, client.Fatal, k.State())
}

func TestUnsubscribeRevokesActiveTasksBeforeItLeaves(t *testing.T) {
	k := newTalk(t, client.Config{})
	k.answer(2, tasks("0_1", "1_0", ""))
	k.answer(2, protocol.Tasks{})
	k.called, k.states = nil, nil
	k.note(k.Unsubscribe(k.now))
	assert.Equal(t, []string{"onTasksRevoked 0 [1]"}, k.called)
	assert.Equal(t, []client.State{client.PrepareLeaving, client.Leaving, client.Unsubscribed}, k.states)
}

func TestThatTheGroupBecomesReadyIsReconciledWithoutAnyTask(t *testing.T) {
	k := newTalk(t, client.Config{})
	k.answer(1, tasks("", "", ""), protocol.MissingInternalTopics)
	k.answer(1, protocol.Tasks{}, protocol.MissingInternalTopics)
	k.called = nil
	k.passes(5*sec, 2)
	assert.Equal(t, []string{"onTasksAssigned active nothing, standby nothing, warm-up nothing, ready"}, k.called)
	assert.True(t, k.last().Owned.Present(), "and acknowledged, by all three lists")
}

func TestAFailedAssignmentOfOtherActiveTasksIsNeverTriedAgain(t *testing.T) {
	k := newTalk(t, client.Config{})
	k.FailCallbacks(client.TasksAssigned, 1)
	k.answer(2, tasks("0_1", "", ""))
	k.passes(20*sec, 2)
	assert.Len(t, k.called, 1)
	assert.Equal(t, client.Reconciling, k.State())
	k.passes(5*sec, 3)
	k.note(k.Wake(k.now))
	require.NotEmpty(t, k.sent)
	assert.False(t, k.last().Owned.Active.Contains(task("0", 1)), "it is not acknowledged")
}

func TestAFailedAssignmentOfTheSameActiveTasksIsTriedAgain(t *testing.T) {
	k := newTalk(t, client.Config{})
	k.FailCallbacks(client.TasksAssigned, 1)
	k.answer(2, tasks("", "1_0", ""))
	assert.Len(t, k.called, 2)
	assert.Equal(t, client.Stable, k.State())
}

func TestOffsetsAreReportedAtTheIntervalAndWhenAWarmUpHasCaughtUp(t *testing.T) {
	restore := &client.Restore{Rate: 10, End: 1000}
	k := newTalk(t, client.Config{Streams: &client.StreamsConfig{Restore: restore}})
	k.answer(2, tasks("0_0", "1_0", "1_1"))
	require.Equal(t, []protocol.TaskOffset{{Task: task("1", 0)}, {Task: task("1", 1)}}, k.last().TaskOffsets, "with the assignment; none of tasks without state")
	require.Equal(t, []protocol.TaskOffset{{Task: task("1", 0), Offset: 1000}, {Task: task("1", 1), Offset: 1000}}, k.last().TaskEndOffsets)
	before := len(k.sent)
	k.passes(50*sec, 2)
	for _, r := range k.sent[before:] {
		require.Nil(t, r.TaskOffsets, "not before the interval is over")
	}
	k.passes(12*sec, 2)
	assert.Equal(t, int64(600), k.last().TaskOffsets[0].Offset)
	assert.Nil(t, k.last().TaskEndOffsets, "they have not changed")
	k.passes(40*sec, 2)
	assert.Equal(t, []client.TaskProgress{{Task: task("1", 0), Offset: 1000, End: 1000}, {Task: task("1", 1), Offset: 1000, End: 1000}}, k.Progress(k.now))
	caught := int64(0)
	for _, r := range k.sent {
		if len(r.TaskOffsets) == 2 && r.TaskOffsets[1].Offset >= 900 && caught == 0 {
			caught = r.TaskOffsets[1].Offset
		}
	}
	assert.Equal(t, int64(900), caught, "the first heartbeat with a lag within the acceptable")
}

func TestAThreadEndsWhenAStatusAsksForIt(t *testing.T) {
	heeds := func() *talk {
		k := newTalk(t, client.Config{Streams: &client.StreamsConfig{HeedsStatus: true}})
		k.answer(2, tasks("0_1", "", ""))
		k.answer(2, protocol.Tasks{})
		return k
	}
	for _, status := range []protocol.StatusCode{protocol.ShutdownApplication, protocol.IncorrectlyPartitionedTopics} {
		k := heeds()
		k.passes(5*sec, 2, status)
		assert.Equal(t, []protocol.StatusCode{status}, k.ended)
		assert.Equal(t, int32(-1), k.last().MemberEpoch, "it leaves")
		k.passes(sec, 2, status)
		assert.Equal(t, client.Closed, k.State())
	}
	for _, status := range []protocol.StatusCode{protocol.MissingInternalTopics, protocol.AssignmentDelayed, protocol.StaleTopology, protocol.MissingClientTags} {
		k := heeds()
		k.passes(60*sec, 2, status)
		assert.Empty(t, k.ended, status)
	}
}

func TestAThreadWaitsTwoHeartbeatIntervalsForSourceTopics(t *testing.T) {
	k := newTalk(t, client.Config{Streams: &client.StreamsConfig{HeedsStatus: true}})
	k.answer(2, tasks("", "", ""), protocol.MissingSourceTopics)
	k.passes(9*sec, 2, protocol.MissingSourceTopics)
	assert.Empty(t, k.ended)
	k.passes(1*sec, 2, protocol.MissingSourceTopics)
	assert.Equal(t, []protocol.StatusCode{protocol.MissingSourceTopics}, k.ended)

	k = newTalk(t, client.Config{Streams: &client.StreamsConfig{HeedsStatus: true}})
	k.answer(2, tasks("", "", ""), protocol.MissingSourceTopics)
	k.passes(60*sec, 2)
	assert.Empty(t, k.ended, "they came in time")
}

func endsOverTopicsThatAreThere(t *testing.T, a client.Config) bool {
	a.Streams = &client.StreamsConfig{HeedsStatus: true}
	k := newTalk(t, a)
	k.answer(2, tasks("", "", ""), protocol.MissingSourceTopics)
	k.passes(20*sec, 3)
	return len(k.ended) > 0
}

func hasATopologyOfItsOwn(t *testing.T, a client.Config) bool {
	k := newTalk(t, a)
	got := k.last().Topology.Subtopologies[0]
	group := got.CopartitionGroups[0].SourceTopics
	require.ElementsMatch(t, []string{"a", "in"}, []string{got.SourceTopics[group[0]], got.SourceTopics[group[1]]}, "it says the same all the same")
	return !assert.ObjectsAreEqual(&twoPartTopology, k.last().Topology)
}

func acknowledgesWithPartOfTheLists(t *testing.T, a client.Config) bool {
	k := newTalk(t, a)
	k.answer(2, tasks("0_1", "", ""))
	require.NotNil(t, k.last().Owned.Active)
	return !k.last().Owned.Present()
}
