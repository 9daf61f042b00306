package protocol

// The classic protocol: JoinGroup, SyncGroup, Heartbeat and LeaveGroup, as
// far as its members matter to consumer groups that upgrade, downgrade or
// serve both kinds of members.

// ConsumerProtocolType is the protocol type of classic consumers.
const ConsumerProtocolType = "consumer"

// JoinGroupRequest is API key 11.
type JoinGroupRequest struct {
	GroupID            string
	SessionTimeoutMs   int32
	RebalanceTimeoutMs int32
	MemberID           string // "" before the coordinator has given one
	GroupInstanceID    *string
	ProtocolType       string
	Protocols          []JoinGroupProtocol // the most preferred first
	// RequireKnownMemberID: a dynamic member without an id is told one and
	// must ask again with it (version 4 and later).
	RequireKnownMemberID bool
	ClientID             string
	ClientHost           string
}

// JoinGroupProtocol is an assignor that a classic consumer can run, and its
// encoded Subscription.
type JoinGroupProtocol struct {
	Name     string
	Metadata []byte
}

// JoinGroupResponse is the answer. When Error is not None only MemberID may
// mean anything besides.
type JoinGroupResponse struct {
	Error        ErrorCode
	ErrorMessage string
	GenerationID int32
	ProtocolType string
	ProtocolName string
	Leader       string
	// SkipAssignment tells a leader to send its SyncGroup without one.
	SkipAssignment bool
	MemberID       string
	Members        []JoinGroupMember // told to the leader only
}

// JoinGroupMember is what the leader learns of a member.
type JoinGroupMember struct {
	MemberID        string
	GroupInstanceID *string
	Metadata        []byte
}

// SyncGroupRequest is API key 14. An empty ProtocolType or ProtocolName is
// not checked.
type SyncGroupRequest struct {
	GroupID         string
	GenerationID    int32
	MemberID        string
	GroupInstanceID *string
	ProtocolType    string
	ProtocolName    string
	Assignments     []SyncGroupAssignment // given by the leader
}

// SyncGroupAssignment is the encoded ClassicAssignment of a member.
type SyncGroupAssignment struct {
	MemberID   string
	Assignment []byte
}

// SyncGroupResponse is the answer: the member's encoded ClassicAssignment.
type SyncGroupResponse struct {
	Error        ErrorCode
	ErrorMessage string
	ProtocolType string
	ProtocolName string
	Assignment   []byte
}

// HeartbeatRequest is API key 12.
type HeartbeatRequest struct {
	GroupID         string
	GenerationID    int32
	MemberID        string
	GroupInstanceID *string
}

// HeartbeatResponse is the answer.
type HeartbeatResponse struct {
	Error        ErrorCode
	ErrorMessage string
}

// LeaveGroupRequest is API key 13: members that leave for good, by member id,
// by instance id, or by both.
type LeaveGroupRequest struct {
	GroupID string
	Members []LeavingMember
}

// LeavingMember names one of them.
type LeavingMember struct {
	MemberID        string
	GroupInstanceID *string
}

// LeaveGroupResponse is the answer, a line for each member of the request.
type LeaveGroupResponse struct {
	Error        ErrorCode
	ErrorMessage string
	Members      []LeftMember
}

// LeftMember is what became of a leaving member.
type LeftMember struct {
	MemberID        string
	GroupInstanceID *string
	Error           ErrorCode
}
