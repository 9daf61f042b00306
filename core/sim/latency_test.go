package sim_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/coordinator"
	"groupscope/core/protocol"
	"groupscope/core/rules"
	"groupscope/core/sim"
)

// roundTrip is how long the first heartbeat of a member's run takes to be
// answered.
func roundTrip(t *testing.T, latency *sim.Range) protocol.Duration {
	t.Helper()
	w, err := sim.New(sim.Setup{GroupID: "group", Config: coordinator.DefaultConfig(rules.Kafka()),
		Topics:  []protocol.Topic{{Name: "foo", Partitions: 1}},
		Members: []sim.MemberSetup{{Name: "A", Subscribe: []string{"foo"}, Latency: latency}}})
	require.NoError(t, err)
	must(t, w, join("A"), beat("A"))
	var sent protocol.Instant
	for _, e := range must(t, w, sim.Run{For: 10 * second}) {
		switch e.What.(type) {
		case sim.Sent:
			sent = e.At
		case sim.Received:
			return e.At.Sub(sent)
		}
	}
	require.Fail(t, "no answer came")
	return 0
}

func TestAMemberHasTheLatencyItIsGivenEvenIfThatIsNone(t *testing.T) {
	assert.Equal(t, 2*sim.DefaultLatency, roundTrip(t, nil))
	assert.Equal(t, 40*protocol.Millisecond, roundTrip(t, &sim.Range{Min: 20, Max: 20}))
	assert.Zero(t, roundTrip(t, &sim.Range{}))
}
