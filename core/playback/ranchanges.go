package playback

import (
	"fmt"
	"slices"

	"groupscope/core/coordinator"
	"groupscope/core/prose"
	"groupscope/core/protocol"
	"groupscope/core/record"
	"groupscope/core/sim"
)

// changes are what differs between the ends of the run, in clauses: the most
// important ones, as many as a few lines have room for.
func (r *ran) changes() []string {
	const room = 130
	d := Diff(r.before, r.after, nil)
	old, now := groupOf(r.before), groupOf(r.after)
	all := r.comings(d)
	if old.GroupEpoch < now.GroupEpoch && r.before.Group != nil && r.after.Group != nil {
		all = append(all, fmt.Sprintf("the group epoch rose from %d to %d", old.GroupEpoch, now.GroupEpoch))
	}
	if s, is := old.Streams, now.Streams; s != nil && is != nil && s.TopologyEpoch != is.TopologyEpoch {
		all = append(all, fmt.Sprintf("the topology epoch rose from %d to %d", s.TopologyEpoch, is.TopologyEpoch))
	}
	all = append(all, r.moves(d)...)
	if len(all) == 0 {
		all = r.epochs(d)
	}
	n := 0
	for i, clause := range all {
		if n += len(clause); i > 0 && n > room {
			return append(all[:i], "and more")
		}
	}
	return all
}

// comings tells who joined and who is gone. One that came back under another
// id did neither.
func (r *ran) comings(d *Changes) []string {
	var joined, gone []string
	for _, m := range d.Members {
		name, was := r.after.NameOf(m.ID), r.before.NameOf(m.ID)
		switch {
		case m.Joined && !inGroup(r.before, name):
			joined = append(joined, name)
		case m.Removed && !inGroup(r.after, was):
			gone = append(gone, was)
		}
	}
	var out []string
	if len(gone) > 0 {
		out = append(out, fmt.Sprintf("%s %s gone", prose.And(gone), prose.IsAre(len(gone))))
	}
	if len(joined) > 0 {
		out = append(out, prose.And(joined)+" joined")
	}
	return out
}

// inGroup reports whether a client's member is in the group.
func inGroup(s *sim.State, name string) bool {
	_, id := s.Named(name)
	return member(s, id) != nil
}

// moves tells who holds what somebody else, or nobody, held before, and of
// copies of tasks that are new, or gone.
func (r *ran) moves(d *Changes) []string {
	type way struct{ from, to string }
	var ways []way
	moved := map[way][]protocol.Partition{}
	for _, p := range d.Partitions {
		w := way{r.before.NameOf(p.From), r.after.NameOf(p.To)}
		if w.from == w.to {
			continue
		}
		if w.to == "" {
			w.from = "" // whoever that was
			if _, nobody := slices.BinarySearchFunc(r.after.Unowned, p.Partition, func(u sim.Unowned, p protocol.Partition) int {
				return u.Partition.Compare(p)
			}); !nobody {
				continue // it is no more
			}
		}
		if (w.from != "" || w.to == "") && moved[w] == nil {
			ways = append(ways, w)
		}
		moved[w] = append(moved[w], p.Partition)
	}
	words := wordingOf(r.after)
	var out []string
	for _, w := range ways {
		what := words.list(moved[w])
		if w.to == "" {
			out = append(out, fmt.Sprintf("nobody %s %s", words.pick("owns", "runs"), what))
			continue
		}
		out = append(out, fmt.Sprintf("%s went from %s to %s", what, w.from, w.to))
	}
	for _, m := range groupOf(r.after).Members {
		name := r.after.NameOf(m.ID)
		clauses := r.copies(name, m)
		if got := moved[way{"", name}]; len(got) > 0 {
			clauses = append([]string{"got " + words.list(got)}, clauses...)
		}
		if len(clauses) > 0 {
			out = append(out, name+" "+prose.And(clauses))
		}
	}
	return out
}

// copies tells which standby and warm-up tasks are new with a member, or gone.
// One that it runs now is not lost.
func (r *ran) copies(name string, m *coordinator.Member) []string {
	if m.Streams == nil {
		return nil
	}
	var before backups
	if _, id := r.before.Named(name); member(r.before, id) != nil {
		was := member(r.before, id).Streams
		runs := record.Partitions(m.Assigned)
		before = backups{
			protocol.NewAssignment(without(was.Standby.Partitions(), runs)),
			protocol.NewAssignment(without(was.Warmup.Partitions(), runs)),
		}
	}
	return backups{m.Streams.Standby, m.Streams.Warmup}.changes(before, "got", "lost")
}

// epochs tells who moved to which epoch, where nothing else moved.
func (r *ran) epochs(d *Changes) []string {
	var order []int32
	moved := map[int32][]string{}
	for _, m := range d.Members {
		is := member(r.after, m.ID)
		if !m.Epoch || m.Joined || is == nil {
			continue
		}
		if moved[is.MemberEpoch] == nil {
			order = append(order, is.MemberEpoch)
		}
		moved[is.MemberEpoch] = append(moved[is.MemberEpoch], r.after.NameOf(m.ID))
	}
	var out []string
	for _, epoch := range order {
		const few = 3
		who := moved[epoch]
		if len(who) > few {
			out = append(out, fmt.Sprintf("%s moved to epoch %d", members(len(who)), epoch))
			continue
		}
		out = append(out, fmt.Sprintf("%s moved to epoch %d", prose.And(who), epoch))
	}
	return out
}
