package conformance

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"groupscope/core/consumergroup"
	"groupscope/core/protocol"
	"groupscope/core/record"
)

// shadow replays the broker's records.
type shadow struct {
	t           *testing.T
	trace       *Trace
	count       *targetCount
	topics      consumergroup.Topics
	group       *consumergroup.Group
	names       map[string]record.MemberMetadataValue // as the broker wrote them
	resolved    map[string][]string                   // regex to topics
	homogeneous bool                                  // the hint that the broker has stored
}

func newShadow(t *testing.T, trace *Trace, count *targetCount) *shadow {
	s := &shadow{t: t, trace: trace, count: count}
	s.setTopics(trace.Topics)
	s.restart()
	return s
}

func (s *shadow) restart() {
	s.group = consumergroup.New(defaultGroup, 1)
	s.names = map[string]record.MemberMetadataValue{}
	s.resolved = map[string][]string{}
	s.homogeneous = true
}

func (s *shadow) setTopics(topics []Topic) {
	list, err := s.trace.topics(topics)
	require.NoError(s.t, err)
	s.topics = consumergroup.NewTopics(list)
}

// effective adds the topics of the member's resolved regex to its names.
func (s *shadow) effective(meta record.MemberMetadataValue) record.MemberMetadataValue {
	names := slices.Concat(meta.SubscribedTopicNames, s.resolved[meta.SubscribedTopicRegex])
	slices.Sort(names)
	meta.SubscribedTopicNames = slices.Compact(names)
	return meta
}

// applySubscriptions brings the members' effective subscriptions up to date.
func (s *shadow) applySubscriptions() {
	for id, meta := range s.names {
		if meta.SubscribedTopicRegex != "" {
			s.apply(record.Record{Key: s.key(record.MemberMetadata, id), Value: s.effective(meta)})
		}
	}
}

// alike is the broker's rule: every name is everybody's, or one regex is and
// there are no names.
func alike(members map[string]record.MemberMetadataValue) bool {
	names, regexes := map[string]int{}, map[string]int{}
	for _, m := range members {
		if m.SubscribedTopicRegex != "" {
			regexes[m.SubscribedTopicRegex]++
		}
		for _, name := range m.SubscribedTopicNames {
			names[name]++
		}
	}
	if len(regexes) > 0 && len(names) > 0 || len(regexes) > 1 {
		return false
	}
	for _, counts := range []map[string]int{names, regexes} {
		for _, n := range counts {
			if n != len(members) {
				return false
			}
		}
	}
	return true
}

// replay applies the broker's records; targets of an own group only.
func (s *shadow) replay(records []Record) {
	for _, r := range records {
		if r.Key["groupId"] != "" {
			continue
		}
		switch r.Type {
		case "ConsumerGroupRegularExpression":
			delete(s.resolved, r.Key["regularExpression"])
			if r.Value != nil {
				var v struct{ Topics []string }
				s.read(r.Value, &v)
				s.resolved[r.Key["regularExpression"]] = v.Topics
			}
			continue
		case "GroupMetadata", "ConsumerGroupPartitionMetadata":
			continue
		}
		own := s.record(r)
		s.apply(own)
		switch v := own.Value.(type) {
		case record.MemberMetadataValue:
			s.names[own.Key.Member] = v
		case nil:
			if own.Key.Type == record.MemberMetadata {
				delete(s.names, own.Key.Member)
			}
			if own.Key.Type == record.GroupMetadata {
				s.restart()
			}
		}
		if own.Key.Type == record.MemberMetadata || own.Key.Type == record.CurrentMemberAssignment {
			s.homogeneous = alike(s.names)
		}
	}
}

func (s *shadow) apply(r record.Record) { require.NoError(s.t, s.group.Apply(r), s.trace.Name) }

func (s *shadow) key(kind record.Type, member string) record.Key {
	return record.Key{Type: kind, Group: defaultGroup, Member: member}
}

// record reads a record of the trace.
func (s *shadow) record(r Record) record.Record {
	kinds := map[string]record.Type{}
	for _, kind := range []record.Type{
		record.GroupMetadata, record.MemberMetadata, record.TargetAssignmentMetadata,
		record.TargetAssignmentMember, record.CurrentMemberAssignment,
	} {
		kinds[kind.String()] = kind
	}
	kind, ok := kinds[r.Type]
	require.True(s.t, ok, r.Type)
	out := record.Record{Key: s.key(kind, r.Key["memberId"])}
	if r.Value == nil {
		return out
	}
	switch kind {
	case record.GroupMetadata:
		var v record.GroupMetadataValue
		s.read(r.Value, &v)
		out.Value = v
	case record.MemberMetadata:
		var v record.MemberMetadataValue
		s.read(r.Value, &v)
		out.Value = v
	case record.TargetAssignmentMetadata:
		var v record.TargetAssignmentMetadataValue
		s.read(r.Value, &v)
		out.Value = v
	case record.TargetAssignmentMember:
		var v struct{ TopicPartitions map[string][]int32 }
		s.read(r.Value, &v)
		out.Value = record.TargetAssignmentMemberValue{TopicPartitions: assignment(orEmpty(v.TopicPartitions))}
	case record.CurrentMemberAssignment:
		out.Value = s.current(r)
	}
	return out
}

func (s *shadow) current(r Record) record.CurrentMemberAssignmentValue {
	type held map[string]struct{ Partitions, AssignmentEpochs []int32 }
	var v struct {
		MemberEpoch, PreviousMemberEpoch                int32
		State                                           int8
		AssignedPartitions, PartitionsPendingRevocation held
	}
	s.read(r.Value, &v)
	list := func(h held) []record.Held {
		var out []record.Held
		for topic, p := range h {
			for i, n := range p.Partitions {
				out = append(out, record.Held{
					Partition:       protocol.Partition{Topic: protocol.TopicID(topic), Number: n},
					AssignmentEpoch: p.AssignmentEpochs[i],
				})
			}
		}
		slices.SortFunc(out, func(a, b record.Held) int { return a.Partition.Compare(b.Partition) })
		return out
	}
	return record.CurrentMemberAssignmentValue{
		MemberEpoch: v.MemberEpoch, PreviousMemberEpoch: v.PreviousMemberEpoch, State: record.MemberState(v.State),
		Assigned: list(v.AssignedPartitions), PendingRevocation: list(v.PartitionsPendingRevocation),
	}
}

// read reads JSON fields by their names, whatever their case.
func (s *shadow) read(value map[string]any, into any) {
	src, err := json.Marshal(value)
	require.NoError(s.t, err)
	require.NoError(s.t, json.Unmarshal(src, into))
}

func orEmpty(m map[string][]int32) map[string][]int32 {
	if m == nil {
		return map[string][]int32{}
	}
	return m
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
