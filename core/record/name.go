package record

import "strconv"

// String is the record type's name in Kafka's schema.
func (t Type) String() string {
	switch t {
	case GroupMetadata:
		return "ConsumerGroupMetadata"
	case MemberMetadata:
		return "ConsumerGroupMemberMetadata"
	case TargetAssignmentMetadata:
		return "ConsumerGroupTargetAssignmentMetadata"
	case TargetAssignmentMember:
		return "ConsumerGroupTargetAssignmentMember"
	case CurrentMemberAssignment:
		return "ConsumerGroupCurrentMemberAssignment"
	}
	return "Record" + strconv.Itoa(int(t))
}

// Short is the record in the notation of scenario files: its number and
// member, "5A", "3", with a leading T for a tombstone, "T8A".
func (r Record) Short() string {
	s := strconv.Itoa(int(r.Key.Type)) + r.Key.Member
	if r.Value == nil {
		return "T" + s
	}
	return s
}
