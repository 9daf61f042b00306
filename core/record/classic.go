package record

import "groupscope/core/protocol"

// Records that consumer groups share with the classic protocol, and those
// that only some groups have.
const (
	// OffsetCommit is a committed offset. Its key has Topic and Partition.
	OffsetCommit Type = 1
	// ClassicGroupMetadata is a whole classic group.
	ClassicGroupMetadata Type = 2
	// PartitionMetadata is obsolete; only its tombstones are written.
	PartitionMetadata Type = 4
	// RegularExpression is a resolved regex. Its key has Regex.
	RegularExpression Type = 16
)

// OffsetCommitValue (type 1) is a committed offset.
type OffsetCommitValue struct {
	Offset          int64
	CommitTimestamp protocol.Instant
}

// RegularExpressionValue (type 16) says which topics matched a regex.
type RegularExpressionValue struct {
	Topics    []string // sorted
	Version   int64    // of the cluster's metadata
	Timestamp protocol.Instant
}

// ClassicGroupMetadataValue (type 2) is a classic group. Protocol and Leader
// are nil before the first generation.
type ClassicGroupMetadataValue struct {
	ProtocolType          string
	Generation            int32
	Protocol              *string
	Leader                *string
	CurrentStateTimestamp protocol.Instant
	Members               []ClassicMember
}

// ClassicMember is a member of a classic group.
type ClassicMember struct {
	MemberID         string
	GroupInstanceID  *string
	ClientID         string
	ClientHost       string
	RebalanceTimeout int32
	SessionTimeout   int32
	Subscription     []byte
	Assignment       []byte
}

// ClassicMemberMetadata says that a consumer group's member uses the classic
// protocol, and with what.
type ClassicMemberMetadata struct {
	SessionTimeoutMs   int32
	SupportedProtocols []protocol.JoinGroupProtocol
}

func (OffsetCommitValue) recordValue()         {}
func (RegularExpressionValue) recordValue()    {}
func (ClassicGroupMetadataValue) recordValue() {}
