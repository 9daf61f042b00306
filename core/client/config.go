package client

import (
	"cmp"
	"math/rand/v2"

	"groupscope/core/protocol"
)

// Config is what a client is made with. Kafka's names are in the comments;
// an empty string is a setting that is absent, a zero duration is Kafka's
// default where there is one.
type Config struct {
	GroupID         string
	MemberID        string
	InstanceID      string            // group.instance.id
	RackID          string            // client.rack
	Assignor        string            // group.remote.assignor
	MaxPollInterval protocol.Duration // max.poll.interval.ms, 300 s
	AutoCommit      bool              // enable.auto.commit: reconciles inside poll() only
	// RequestTimeout is kept by whoever delivers the requests: one without an
	// answer after that time has Failed.
	RequestTimeout  protocol.Duration // request.timeout.ms, 30 s
	RetryBackoff    protocol.Duration // retry.backoff.ms, 100 ms
	RetryBackoffMax protocol.Duration // retry.backoff.max.ms, 1 s
	// Jitter makes each backoff up to a fifth longer or shorter, drawn from
	// here; nil: exact backoffs. The client draws from a copy of its own.
	Jitter *rand.PCG

	// PollInterval is how the application polls. 0: it is always inside
	// poll(). Otherwise it enters poll() only when Poll is called, which its
	// owner does in this interval from the start, and is outside in between.
	PollInterval protocol.Duration
	// How long the application's callbacks take: its owner calls
	// CallbackReturned that long after the start.
	RevokeTime, AssignTime, LostTime protocol.Duration

	// TwoStepJoin: an answer with epoch 0 leaves the member JOINING.
	TwoStepJoin bool
	Streams     *StreamsConfig // nil: a consumer
	// Classic makes it a client of the classic protocol.
	Classic *ClassicConfig
	// Quirks are faults of its library.
	Quirks []Quirk
}

// Defaults of the Java client.
const (
	defaultMaxPollInterval = 300 * protocol.Second
	defaultRequestTimeout  = 30 * protocol.Second
	defaultRetryBackoff    = 100 * protocol.Millisecond
	defaultRetryBackoffMax = 1000 * protocol.Millisecond
	closeTimeout           = 30 * protocol.Second // of close() and unsubscribe()
)

// withDefaults fills in what was left out.
func (cfg Config) withDefaults() Config {
	cfg.MaxPollInterval = cmp.Or(cfg.MaxPollInterval, defaultMaxPollInterval)
	cfg.RequestTimeout = cmp.Or(cfg.RequestTimeout, defaultRequestTimeout)
	cfg.RetryBackoff = cmp.Or(cfg.RetryBackoff, defaultRetryBackoff)
	cfg.RetryBackoffMax = cmp.Or(cfg.RetryBackoffMax, defaultRetryBackoffMax)
	if cfg.Classic != nil {
		cfg.Classic = cfg.Classic.withDefaults()
	}
	return cfg
}

// callbackTime is how long a callback of a kind takes.
func (cfg *Config) callbackTime(what CallbackKind) *protocol.Duration {
	switch what {
	case PartitionsRevoked, TasksRevoked:
		return &cfg.RevokeTime
	case PartitionsAssigned, TasksAssigned:
		return &cfg.AssignTime
	}
	return &cfg.LostTime
}
