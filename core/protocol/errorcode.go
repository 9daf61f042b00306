package protocol

import (
	"maps"
	"slices"
	"strconv"
)

// ErrorCode is a Kafka protocol error code.
type ErrorCode int16

// The error codes that the group coordinator and its clients deal in.
const (
	UnknownServerError          ErrorCode = -1
	None                        ErrorCode = 0
	CoordinatorLoadInProgress   ErrorCode = 14
	CoordinatorNotAvailable     ErrorCode = 15
	NotCoordinator              ErrorCode = 16
	IllegalGeneration           ErrorCode = 22
	InconsistentGroupProtocol   ErrorCode = 23
	UnknownMemberID             ErrorCode = 25
	RebalanceInProgress         ErrorCode = 27
	TopicAuthorizationFailed    ErrorCode = 29
	GroupAuthorizationFailed    ErrorCode = 30
	UnsupportedVersion          ErrorCode = 35
	InvalidRequest              ErrorCode = 42
	NonEmptyGroup               ErrorCode = 68
	GroupIDNotFound             ErrorCode = 69
	MemberIDRequired            ErrorCode = 79
	GroupMaxSizeReached         ErrorCode = 81
	FencedInstanceID            ErrorCode = 82
	FencedMemberEpoch           ErrorCode = 110
	UnreleasedInstanceID        ErrorCode = 111
	UnsupportedAssignor         ErrorCode = 112
	StaleMemberEpoch            ErrorCode = 113
	InvalidRegularExpression    ErrorCode = 128
	StreamsInvalidTopology      ErrorCode = 130
	StreamsInvalidTopologyEpoch ErrorCode = 131
	StreamsTopologyFenced       ErrorCode = 132
)

var errorNames = map[ErrorCode]string{
	UnknownServerError:          "UNKNOWN_SERVER_ERROR",
	None:                        "NONE",
	CoordinatorLoadInProgress:   "COORDINATOR_LOAD_IN_PROGRESS",
	CoordinatorNotAvailable:     "COORDINATOR_NOT_AVAILABLE",
	NotCoordinator:              "NOT_COORDINATOR",
	IllegalGeneration:           "ILLEGAL_GENERATION",
	InconsistentGroupProtocol:   "INCONSISTENT_GROUP_PROTOCOL",
	UnknownMemberID:             "UNKNOWN_MEMBER_ID",
	RebalanceInProgress:         "REBALANCE_IN_PROGRESS",
	TopicAuthorizationFailed:    "TOPIC_AUTHORIZATION_FAILED",
	GroupAuthorizationFailed:    "GROUP_AUTHORIZATION_FAILED",
	UnsupportedVersion:          "UNSUPPORTED_VERSION",
	InvalidRequest:              "INVALID_REQUEST",
	NonEmptyGroup:               "NON_EMPTY_GROUP",
	GroupIDNotFound:             "GROUP_ID_NOT_FOUND",
	MemberIDRequired:            "MEMBER_ID_REQUIRED",
	GroupMaxSizeReached:         "GROUP_MAX_SIZE_REACHED",
	FencedInstanceID:            "FENCED_INSTANCE_ID",
	FencedMemberEpoch:           "FENCED_MEMBER_EPOCH",
	UnreleasedInstanceID:        "UNRELEASED_INSTANCE_ID",
	UnsupportedAssignor:         "UNSUPPORTED_ASSIGNOR",
	StaleMemberEpoch:            "STALE_MEMBER_EPOCH",
	InvalidRegularExpression:    "INVALID_REGULAR_EXPRESSION",
	StreamsInvalidTopology:      "STREAMS_INVALID_TOPOLOGY",
	StreamsInvalidTopologyEpoch: "STREAMS_INVALID_TOPOLOGY_EPOCH",
	StreamsTopologyFenced:       "STREAMS_TOPOLOGY_FENCED",
}

// String is Kafka's constant for the code.
func (e ErrorCode) String() string {
	if name, ok := errorNames[e]; ok {
		return name
	}
	return "ERROR_" + strconv.Itoa(int(e))
}

// ParseErrorCode finds the code of a Kafka constant.
func ParseErrorCode(name string) (ErrorCode, bool) {
	for code, n := range errorNames {
		if n == name {
			return code, true
		}
	}
	return 0, false
}

// ErrorNames lists Kafka's constants of all codes, sorted.
func ErrorNames() []string { return slices.Sorted(maps.Values(errorNames)) }
