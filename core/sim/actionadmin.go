package sim

// CommitOffsets has the member's client commit offsets, by the epoch it knows:
// one of each partition that it reads. It is handled at once, past whatever is
// on its way on the connection, and changes nothing about the client.
type CommitOffsets struct {
	Member string
	Offset int64
	With   []Override // memberId, memberEpoch, instanceId, topicPartitions
}

// FetchOffsets has the member's client ask for the committed offsets, by the
// epoch it knows. It is handled as CommitOffsets is.
type FetchOffsets struct {
	Member string
	With   []Override // memberId, memberEpoch
}

// DeleteGroup is an operator's request to delete the group. Cleanup is one run
// of the broker's periodic expiration. Describe is a tool's request to describe
// the group; it changes nothing.
type (
	DeleteGroup struct{}
	Cleanup     struct{}
	Describe    struct{}
)

// ResolveRegexes has the coordinator finish what it does in the background:
// resolving the group's regexes. In time it does so by itself.
type ResolveRegexes struct{}

// SetGroupConfig replaces the dynamic config of the group, by Kafka's names. A
// setting that is not named is the broker's again.
type SetGroupConfig struct{ Settings []GroupSetting }

// GroupSetting is a dynamic config of a group.
type GroupSetting struct{ Name, Value string }

// SendRequest sends a heartbeat that comes from no client of the scenario. All
// fields are absent but those that are given; memberId and memberEpoch are
// needed. It is answered at once.
type SendRequest struct{ With []Override }

func (a CommitOffsets) member() string { return a.Member }
func (a FetchOffsets) member() string  { return a.Member }
func (DeleteGroup) member() string     { return "" }
func (Cleanup) member() string         { return "" }
func (Describe) member() string        { return "" }
func (ResolveRegexes) member() string  { return "" }
func (SetGroupConfig) member() string  { return "" }
func (SendRequest) member() string     { return "" }
