package playback

import (
	"strings"

	"groupscope/core/prose"
	"groupscope/core/protocol"
	"groupscope/core/record"
	"groupscope/core/sim"
)

// wording is how that is named what members hold: partitions, which they read,
// or the tasks of a streams group, which they run.
type wording struct{ tasks bool }

func wordingOf(s *sim.State) wording { return wording{s != nil && s.Streams()} }

// list writes what is held as prose does.
func (w wording) list(ps []protocol.Partition) string {
	if w.tasks {
		return Tasks(ps)
	}
	return Partitions(ps)
}

// one is the name of one of them.
func (w wording) one(p protocol.Partition) string {
	if w.tasks {
		return protocol.TaskName(p)
	}
	return p.String()
}

// noun is what one of them is.
func (w wording) noun() string {
	if w.tasks {
		return "task"
	}
	return "partition"
}

// pick is the one of two words that fits.
func (w wording) pick(partitions, tasks string) string {
	if w.tasks {
		return tasks
	}
	return partitions
}

// names lists what is held by names; long lists by numbers.
func (w wording) names(ps []protocol.Partition) string {
	const few = 6
	if len(ps) == 0 || len(ps) > few {
		return w.list(ps)
	}
	names := make([]string, len(ps))
	for i, p := range ps {
		names[i] = w.one(p)
	}
	return strings.Join(names, ", ")
}

// Tasks writes a sorted list of tasks as prose does: "0_2", "0_0 and 0_1",
// "0_0 to 0_11 and 1_3"; "nothing" for none.
func Tasks(ps []protocol.Partition) string {
	var words []string
	for len(ps) > 0 {
		n := 1
		for n < len(ps) && ps[n].Topic == ps[0].Topic && ps[n].Number == ps[0].Number+int32(n) {
			n++
		}
		if n < 5 {
			n = 1
			words = append(words, protocol.TaskName(ps[0]))
		} else {
			words = append(words, protocol.TaskName(ps[0])+" to "+protocol.TaskName(ps[n-1]))
		}
		ps = ps[n:]
	}
	if words == nil {
		return "nothing"
	}
	return prose.And(words)
}

// inRoles writes tasks by their roles: "0_0, 0_1 as standby and 0_2 as warm-up".
func inRoles(active, standby, warmup protocol.Assignment) string {
	var words []string
	if len(active) > 0 {
		words = append(words, Tasks(active.Partitions()))
	}
	if len(standby) > 0 {
		words = append(words, Tasks(standby.Partitions())+" as standby")
	}
	if len(warmup) > 0 {
		words = append(words, Tasks(warmup.Partitions())+" as warm-up")
	}
	if words == nil {
		return "nothing"
	}
	return prose.And(words)
}

// backups are the tasks of a streams member that are not active.
type backups struct{ standby, warmup protocol.Assignment }

// currentOf is a member's current assignment in a record of either kind of
// group: of a streams group the active tasks, and the others apart.
func currentOf(v record.Value) (record.CurrentMemberAssignmentValue, backups, bool) {
	switch v := v.(type) {
	case record.CurrentMemberAssignmentValue:
		return v, backups{}, true
	case record.StreamsCurrentMemberAssignmentValue:
		return record.CurrentMemberAssignmentValue{
			MemberEpoch: v.MemberEpoch, PreviousMemberEpoch: v.PreviousMemberEpoch, State: v.State,
			Assigned: v.Active, PendingRevocation: v.PendingActive,
		}, backups{v.Standby, v.Warmup}, true
	}
	return record.CurrentMemberAssignmentValue{}, backups{}, false
}

// changes are what is new among backups, and what is gone, in clauses with
// these verbs.
func (b backups) changes(before backups, gets, loses string) []string {
	var out []string
	say := func(verb string, a, b protocol.Assignment, role string) {
		if ps := without(a.Partitions(), b.Partitions()); len(ps) > 0 {
			out = append(out, verb+" "+Tasks(ps)+" as "+role)
		}
	}
	say(gets, b.standby, before.standby, "standby")
	say(gets, b.warmup, before.warmup, "warm-up")
	say(loses, before.standby, b.standby, "standby")
	say(loses, before.warmup, b.warmup, "warm-up")
	return out
}

// statusWords writes statuses: ", MISSING_SOURCE_TOPICS", "" for none.
func statusWords(status []protocol.Status) string {
	var out strings.Builder
	for _, s := range status {
		out.WriteString(", " + s.Code.String())
	}
	return out.String()
}
