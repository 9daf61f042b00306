package protocol

// OffsetCommitRequest is API key 8. GenerationIDOrMemberEpoch is negative for
// a commit from outside the group.
type OffsetCommitRequest struct {
	GroupID                   string
	GenerationIDOrMemberEpoch int32
	MemberID                  string
	GroupInstanceID           *string
	Offsets                   []TopicOffset
	// Version is the request's API version; 0 stands for the newest.
	Version int16
}

// TopicOffset is an offset of a partition; topics are known by name.
type TopicOffset struct {
	Topic     string
	Partition int32
	Offset    int64
}

// OffsetFetchRequest is API key 9 for one group. An empty MemberID asks from
// outside the group, which is not checked.
type OffsetFetchRequest struct {
	GroupID     string
	MemberID    string
	MemberEpoch int32
}
