package client_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/client"
	"groupscope/core/protocol"
)

var toFoo = client.Subscription{Topics: []string{"foo"}}

// started is a client that has sent its first heartbeat.
func started(t *testing.T, cfg client.Config) (*client.Client, client.Send) {
	cfg.MemberID = "A"
	c := client.New(cfg)
	c.Start(start, toFoo, topicIDs([]string{"foo"}))
	return c, sends(t, c.Found(start, false))
}

// sends is the one request among outputs.
func sends(t *testing.T, outs []client.Output) client.Send {
	t.Helper()
	for _, o := range outs {
		if s, ok := o.(client.Send); ok {
			return s
		}
	}
	require.Fail(t, "nothing was sent", "%v", outs)
	return client.Send{}
}

func isSend(o client.Output) bool { _, is := o.(client.Send); return is }

func foo(numbers ...int32) protocol.Assignment {
	return assignment(map[string][]int32{"foo": numbers})
}

func success(epoch int32, a protocol.Assignment) protocol.ConsumerGroupHeartbeatResponse {
	return protocol.ConsumerGroupHeartbeatResponse{MemberEpoch: epoch, HeartbeatIntervalMs: 5000, Assignment: a}
}

func TestInATwoStepJoinEpochZeroLeavesTheMemberJoiningAndItAsksAgainAtOnce(t *testing.T) {
	c, first := started(t, client.Config{TwoStepJoin: true})
	second := sends(t, c.Answer(start+10, first.ID, success(0, protocol.Assignment{})))
	assert.Equal(t, client.Joining, c.State())
	assert.Equal(t, first.Request, second.Request, "the full join request")
	c.Answer(start+20, second.ID, success(1, foo(0, 1)))
	assert.Equal(t, client.Reconciling, c.State())
}

func TestWithoutATwoStepJoinEpochZeroIsAnAnswerLikeAnyOther(t *testing.T) {
	c, first := started(t, client.Config{})
	c.Answer(start+10, first.ID, success(0, protocol.Assignment{}))
	assert.Equal(t, client.Reconciling, c.State())
}

func TestASilentClientDoesAllButSend(t *testing.T) {
	c, first := started(t, client.Config{})
	c.SetMode(client.Silent)
	for _, o := range c.Answer(start+10, first.ID, success(2, foo(0, 1))) {
		assert.False(t, isSend(o))
	}
	for _, o := range c.CallbackReturned(start + 10) {
		assert.False(t, isSend(o))
	}
	require.Equal(t, client.Acknowledging, c.State())
	ack := sends(t, c.Heartbeat(start+10))
	assert.Equal(t, foo(0, 1), ack.Request.TopicPartitions)
	assert.Equal(t, client.Stable, c.State())
}

func TestAClientAsleepTakesItsAnswerInAndDoesNoMore(t *testing.T) {
	c, first := started(t, client.Config{})
	c.SetMode(client.Asleep)
	c.Answer(start+10, first.ID, success(2, foo(0, 1)))
	revoke, add := c.Pending()
	assert.Equal(t, client.Reconciling, c.State())
	assert.Empty(t, revoke)
	assert.Equal(t, foo(0, 1), add)
	_, running := c.Running()
	assert.False(t, running)
	c.SetMode(client.Awake)
	c.Wake(start + 20)
	callback, running := c.Running()
	require.True(t, running)
	assert.Equal(t, client.PartitionsAssigned, callback.What)
}

func TestTheNextDeadlineIsTheNextHeartbeatAndLiesAhead(t *testing.T) {
	c, first := started(t, client.Config{})
	c.Answer(start+10, first.ID, success(2, foo(0)))
	ack := sends(t, c.CallbackReturned(start+10))
	_, waits := c.NextDeadline(start + 10)
	assert.False(t, waits, "in flight, inside poll(): it waits for others only")
	c.Answer(start+20, ack.ID, success(2, nil))
	at, _ := c.NextDeadline(start + 20)
	assert.Equal(t, start+10+5000, at)
	assert.Equal(t, at, c.NextHeartbeat())
	sends(t, c.Wake(at))
}

func TestAnAnswerToAnUnknownRequestIsIgnored(t *testing.T) {
	c, first := started(t, client.Config{})
	assert.Empty(t, c.Answer(start+10, first.ID+7, success(2, foo(0))))
	assert.Equal(t, client.Joining, c.State())
}

func TestAfterACoordinatorMoveTheNextRequestIsFull(t *testing.T) {
	c, first := started(t, client.Config{})
	c.Answer(start+10, first.ID, success(2, foo(0)))
	ack := sends(t, c.CallbackReturned(start+10))
	c.Answer(start+20, ack.ID, success(2, nil))
	require.Contains(t, c.CoordinatorMoved(start+30), client.FindCoordinator{})
	c.Found(start+30, false)
	next := sends(t, c.Wake(start+5010))
	assert.True(t, next.Request.Full())
}

func TestACrashedClientIsNoMore(t *testing.T) {
	c, first := started(t, client.Config{})
	c.Crash(start + 5)
	assert.Equal(t, client.Crashed, c.State())
	assert.Empty(t, c.Answer(start+10, first.ID, success(2, foo(0))))
	_, waits := c.NextDeadline(start + 10)
	assert.False(t, waits)
}

// leaving is a client whose unsubscribe() waits for onPartitionsRevoked while
// a heartbeat is in flight.
func leaving(t *testing.T) (*client.Client, client.Send) {
	c, first := started(t, client.Config{})
	c.Answer(start+10, first.ID, success(2, foo(0)))
	ack := sends(t, c.CallbackReturned(start+10))
	c.Unsubscribe(start + 15)
	require.Equal(t, client.PrepareLeaving, c.State())
	return c, ack
}

func TestAMemberFencedWhileItPreparesToLeaveIsOutWithoutALeaveHeartbeat(t *testing.T) {
	c, ack := leaving(t)
	c.Answer(start+20, ack.ID, protocol.ConsumerGroupHeartbeatResponse{Error: protocol.FencedMemberEpoch})
	require.Equal(t, client.Unsubscribed, c.State())
	for _, o := range c.CallbackReturned(start + 30) {
		assert.False(t, isSend(o))
	}
	assert.Equal(t, client.Unsubscribed, c.State())
	assert.Empty(t, c.Owned())
}

func TestAFatalErrorWhileItPreparesToLeaveCallsNobody(t *testing.T) {
	c, ack := leaving(t)
	c.Answer(start+20, ack.ID, protocol.ConsumerGroupHeartbeatResponse{Error: protocol.GroupAuthorizationFailed})
	require.Equal(t, client.Fatal, c.State())
	assert.Equal(t, protocol.GroupAuthorizationFailed, c.LastError())
	for _, o := range c.CallbackReturned(start + 30) {
		assert.False(t, isSend(o))
		if callback, ok := o.(client.Callback); ok {
			assert.True(t, callback.Done)
		}
	}
	assert.Equal(t, client.Fatal, c.State())
}
