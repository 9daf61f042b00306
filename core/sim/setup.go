package sim

import (
	"fmt"

	"groupscope/core/client"
	"groupscope/core/coordinator"
	"groupscope/core/protocol"
	"groupscope/core/record"
)

// Setup is a world before anything happened. Equal setups and actions give
// equal runs, on every platform.
type Setup struct {
	Seed    uint64
	GroupID string
	Config  coordinator.Config
	Topics  []protocol.Topic
	Members []MemberSetup
	// Jitter makes the backoffs of clients up to a fifth longer or shorter,
	// drawn from the seed, as real ones are. Without it they are exact.
	Jitter bool
	// Topology makes the group a streams group: it is what its members run,
	// unless they have one of their own. Nil: a consumer group.
	Topology *protocol.Topology
	// InternalTopics is how the broker creates the topics that a topology needs
	// and that are missing.
	InternalTopics Creation
	// ResolveTime is how long the coordinator takes to resolve regexes. With 0
	// it is done at once, after the answer.
	ResolveTime protocol.Duration
	// Settings are the group's dynamic config at the start.
	Settings []GroupSetting
	// Hidden are names of topics that clients may not see.
	Hidden []string
	// Log is what the coordinator finds in its log at the start, of the group
	// alone. A record of the group's epoch without a hash gets that of the topics
	// as they are, so that nothing seems to have changed.
	Log []record.Record
	// Start is the instant of the scenario's zero, above 0; New takes
	// DefaultStart for 0.
	Start protocol.Instant
}

// DefaultStart is the instant at which worlds begin.
const DefaultStart protocol.Instant = 1_000_000

// MemberSetup is a client of the scenario. What is left out has its
// default, Kafka's where Kafka has one.
type MemberSetup struct {
	Name             string
	Subscribe        []string
	Regex            string // subscribed to instead of names; "" for none
	InstanceID       string
	RackID           string
	Assignor         string            // group.remote.assignor
	RebalanceTimeout protocol.Duration // max.poll.interval.ms, 0: 300 s
	Latency          *Range            // one way, of each message in run and at; nil: DefaultLatency
	RevokeTime       protocol.Duration // how long onPartitionsRevoked takes in run and at
	AssignTime       protocol.Duration // the same for onPartitionsAssigned
	LostTime         protocol.Duration // and for onPartitionsLost
	Poll             protocol.Duration // between two calls of poll(); 0: it is always inside
	AutoCommit       bool              // enable.auto.commit
	Quirks           []client.Quirk    // faults of its library
	Classic          bool              // it uses the classic protocol
	Streams          StreamsSetup      // of a member of a streams group
}

// check says what is wrong with a member's settings, "" if nothing is.
func (m *MemberSetup) check() string {
	switch {
	case m.Latency != nil && (m.Latency.Min < 0 || m.Latency.Min > m.Latency.Max):
		return fmt.Sprintf("A latency is not from %s to %s.", m.Latency.Min, m.Latency.Max)
	case min(m.RevokeTime, m.AssignTime, m.LostTime, m.Poll, m.RebalanceTimeout) < 0:
		return "No time is below 0."
	}
	return m.Streams.check()
}

// Range is a span of durations, both ends included, drawn from evenly by a
// generator seeded with the scenario's seed and the link's name.
type Range struct{ Min, Max protocol.Duration }
