package sim

import (
	"groupscope/core/coordinator"
	"groupscope/core/protocol"
)

// Setup is a world before anything happened. Equal setups and actions give
// equal runs, on every platform.
type Setup struct {
	Seed    uint64
	GroupID string
	Config  coordinator.Config
	Topics  []protocol.Topic
	Members []MemberSetup
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
	InstanceID       string
	RackID           string
	Assignor         string            // group.remote.assignor
	RebalanceTimeout protocol.Duration // max.poll.interval.ms, 0: 300 s
	Latency          *Range            // one way, of each message in run and at; nil: DefaultLatency
	RevokeTime       protocol.Duration // how long onPartitionsRevoked takes in run and at
	AssignTime       protocol.Duration // the same for onPartitionsAssigned
}

// Range is a span of durations, both ends included, drawn from evenly by a
// generator seeded with the scenario's seed and the link's name.
type Range struct{ Min, Max protocol.Duration }
