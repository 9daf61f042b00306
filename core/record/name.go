package record

import "strconv"

var names = map[Type]string{
	OffsetCommit:             "OffsetCommit",
	ClassicGroupMetadata:     "GroupMetadata",
	GroupMetadata:            "ConsumerGroupMetadata",
	PartitionMetadata:        "ConsumerGroupPartitionMetadata",
	MemberMetadata:           "ConsumerGroupMemberMetadata",
	TargetAssignmentMetadata: "ConsumerGroupTargetAssignmentMetadata",
	TargetAssignmentMember:   "ConsumerGroupTargetAssignmentMember",
	CurrentMemberAssignment:  "ConsumerGroupCurrentMemberAssignment",
	RegularExpression:        "ConsumerGroupRegularExpression",

	StreamsGroupMetadata:            "StreamsGroupMetadata",
	StreamsMemberMetadata:           "StreamsGroupMemberMetadata",
	StreamsTargetAssignmentMetadata: "StreamsGroupTargetAssignmentMetadata",
	StreamsTargetAssignmentMember:   "StreamsGroupTargetAssignmentMember",
	StreamsCurrentMemberAssignment:  "StreamsGroupCurrentMemberAssignment",
	StreamsTopology:                 "StreamsGroupTopology",
}

// String is the record type's name in Kafka's schema.
func (t Type) String() string {
	if name, ok := names[t]; ok {
		return name
	}
	return "Record" + strconv.Itoa(int(t))
}

// Short is the record in the notation of scenario files: its number and what
// it is about, "5A", "3", "16foo.*", "1foo-0", with a leading T for a
// tombstone, "T8A".
func (r Record) Short() string {
	s := strconv.Itoa(int(r.Key.Type)) + r.Key.Member + r.Key.Regex
	if r.Key.Type == OffsetCommit {
		s += r.Key.Topic + "-" + strconv.Itoa(int(r.Key.Partition))
	}
	if r.Value == nil {
		return "T" + s
	}
	return s
}
