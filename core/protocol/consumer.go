package protocol

// Member epochs with a meaning of their own.
const (
	EpochJoining      int32 = 0  // the member asks to join, or to join again
	EpochLeaving      int32 = -1 // the member leaves for good
	EpochStaticAbsent int32 = -2 // a static member leaves for a while and means to come back
)

// ConsumerGroupHeartbeatRequest is API key 68. A nil pointer, nil slice, nil
// Assignment or RebalanceTimeoutMs -1 means that the field is absent, so the
// coordinator keeps what it has.
type ConsumerGroupHeartbeatRequest struct {
	GroupID              string
	MemberID             string
	MemberEpoch          int32
	InstanceID           *string
	RackID               *string
	RebalanceTimeoutMs   int32
	SubscribedTopicNames []string
	SubscribedTopicRegex *string
	ServerAssignor       *string
	// TopicPartitions is what the member owns. Listing it is the only way to
	// acknowledge a revocation.
	TopicPartitions Assignment
	// ClientID and ClientHost come from the request's header and connection,
	// so they are never "absent": the coordinator takes them as they are.
	ClientID   string
	ClientHost string
}

// Full reports whether the request carries every field that makes the
// coordinator repeat the assignment in its answer.
func (r *ConsumerGroupHeartbeatRequest) Full() bool {
	return r.RebalanceTimeoutMs != -1 &&
		(r.SubscribedTopicNames != nil || r.SubscribedTopicRegex != nil) && r.TopicPartitions != nil
}

// ConsumerGroupHeartbeatResponse is the answer. When Error is not None no
// other field means anything, ErrorMessage excepted.
type ConsumerGroupHeartbeatResponse struct {
	Error               ErrorCode
	ErrorMessage        string
	MemberID            string
	MemberEpoch         int32
	HeartbeatIntervalMs int32
	// Assignment is nil when the coordinator has nothing new to say, which is
	// not the same as an empty assignment.
	Assignment Assignment
}
