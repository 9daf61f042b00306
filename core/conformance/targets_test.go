package conformance

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/assignor"
	"groupscope/core/consumergroup"
	"groupscope/core/protocol"
	"groupscope/core/record"
	"groupscope/core/rules"
)

// Every target of every trace comes out of our assignors, also in the steps
// that the coordinator cannot be fed with yet: here the broker's own records
// make the group, and only the assignor is ours.
func TestEveryTargetOfTheBrokerComesOutIdentical(t *testing.T) {
	count := targetCount{}
	for _, name := range []string{"hand", "fuzz"} {
		for _, trace := range archive(t, name) {
			_, cut := trace.Cut()
			if cut == featureClassic || slices.Contains(trace.Config.Assignors, "scripted") {
				continue
			}
			newShadow(t, trace, &count).run()
		}
	}
	assert.Equal(t, targetCount{Uniform: 1071, Range: 955, Either: 3}, count)
}

// targetCount counts the targets that were judged. Either are those for
// which it cannot be told whether the broker's hint was stale, and the
// target is that of one of the two hints.
type targetCount struct{ Uniform, Range, Either int }

func (s *shadow) run() {
	for i := range s.trace.Steps {
		step := &s.trace.Steps[i]
		if step.Op == "topics" {
			s.setTopics(step.Topics)
		}
		if step.Op == "heartbeat" && writesTarget(step) {
			s.judge(step)
		}
		s.replay(step.Records)
		for _, e := range step.Expired {
			s.replay(e.Records)
		}
		var async []struct {
			Task    string
			Records []Record
		}
		if step.Async != nil {
			require.NoError(s.t, strict(step.Async, &async))
		}
		for _, task := range async {
			s.replay(task.Records)
		}
	}
}

// writesTarget tells a computed target from the metadata record of a leave
// that empties the group.
func writesTarget(step *Step) bool {
	var q Request
	if strict(step.Request, &q) != nil || q.MemberEpoch < 0 {
		return false
	}
	return slices.ContainsFunc(step.Records, func(r Record) bool {
		return r.Type == record.TargetAssignmentMetadata.String() && r.Value != nil
	})
}

// judge computes the target that a step wrote.
func (s *shadow) judge(step *Step) {
	var q Request
	require.NoError(s.t, strict(step.Request, &q))
	raw, replaces := s.updated(step, q.MemberID)
	updated := consumergroup.NewMember(q.MemberID).WithMeta(s.effective(raw))
	s.applySubscriptions()

	before := s.names[q.MemberID]
	if replaces != "" {
		before = s.names[replaces]
	}
	name := s.group.PreferredAssignorWith(text(before.ServerAssignor), updated.Assignor(), s.assignors(), rules.HashOrder)
	chosen, ok := assignor.ByName(name)
	require.True(s.t, ok, name)
	want := s.written(step, updated.ID, replaces)

	fresh := s.hint(q.MemberID, raw, replaces)
	hints := []bool{fresh}
	checked := slices.ContainsFunc(step.Records, func(r Record) bool { return r.Type == record.GroupMetadata.String() })
	if !checked && s.homogeneous != fresh {
		hints = append(hints, s.homogeneous)
		s.count.Either++
	}
	var got map[string]protocol.Assignment
	for _, homogeneous := range hints {
		target, _, err := s.group.NewTarget(consumergroup.Computation{
			Topics: s.topics, Assignor: chosen, Homogeneous: homogeneous, Updated: updated, Replaces: replaces,
		})
		require.NoError(s.t, err)
		if got == nil || asJSON(target) == asJSON(want) {
			got = target
		}
	}
	assert.Equal(s.t, want, got, "%s at %d", s.trace.Name, step.TimeMs)
	if name == "range" {
		s.count.Range++
	} else {
		s.count.Uniform++
	}
}

func (s *shadow) assignors() []string {
	if s.trace.Config.Assignors != nil {
		return s.trace.Config.Assignors
	}
	return assignor.Default()
}

// updated describes the step's member with its request applied, and names the
// static member whose place it takes.
func (s *shadow) updated(step *Step, id string) (record.MemberMetadataValue, string) {
	meta, replaces := s.names[id], ""
	for _, r := range step.Records {
		switch {
		case r.Type != record.MemberMetadata.String():
		case r.Value == nil && r.Key["memberId"] != id:
			replaces = r.Key["memberId"]
		case r.Value != nil && r.Key["memberId"] == id:
			meta = s.record(r).Value.(record.MemberMetadataValue)
		}
	}
	return meta, replaces
}

// written is the target after the step, of every member.
func (s *shadow) written(step *Step, id, replaces string) map[string]protocol.Assignment {
	want := map[string]protocol.Assignment{}
	for _, member := range slices.Concat(s.group.IDs(), []string{id}) {
		if target, ok := s.group.Target(member); ok {
			want[member] = target
		}
	}
	for _, r := range step.Records {
		if r.Type == record.TargetAssignmentMember.String() && r.Value != nil {
			want[r.Key["memberId"]] = s.record(r).Value.(record.TargetAssignmentMemberValue).TopicPartitions
		}
	}
	delete(want, replaces)
	return want
}

// hint is whether all members subscribe alike, with the request applied.
func (s *shadow) hint(id string, updated record.MemberMetadataValue, replaces string) bool {
	members := maps.Clone(s.names)
	delete(members, replaces)
	members[id] = updated
	return alike(members)
}
