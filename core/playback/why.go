package playback

import (
	"fmt"
	"slices"
	"strings"

	"groupscope/core/coordinator"
	"groupscope/core/prose"
	"groupscope/core/protocol"
	"groupscope/core/record"
	"groupscope/core/sim"
)

// whyMember is one sentence about where a member stands and what holds it.
func (p *Player) whyMember(name string, c *sim.ClientState, m *coordinator.Member) string {
	f := &p.frame
	if m == nil {
		return p.whyOutside(name, c)
	}
	g, w := groupOf(f.State), wordingOf(f.State)
	if c == nil && !strings.Contains(name, "~") {
		return fmt.Sprintf("%s is nobody’s client here: without another heartbeat it is removed in %s.", name, left(m.SessionDeadline, f.Now))
	}
	failed := c != nil && c.State == "FATAL"
	gone := c == nil || c.State == "CRASHED" || c.State == "CLOSED" || failed
	switch {
	case m.MemberEpoch == protocol.EpochStaticAbsent:
		return fmt.Sprintf("%s is away and its place is kept for another %s.", name, left(m.SessionDeadline, f.Now))
	case g.Classic != nil && !gone:
		return whyClassicMember(name, g.Classic)
	case failed && c.LastError != protocol.None:
		return fmt.Sprintf("%s gave up after %s and is silent for good; the coordinator finds out in %s.", name, c.LastError, left(silentUntil(m), f.Now))
	case gone:
		return fmt.Sprintf("%s is silent for good; the coordinator finds out in %s.", name, left(silentUntil(m), f.Now))
	case m.State == record.UnrevokedPartitions:
		return fmt.Sprintf("%s stays at epoch %d until it has given up %s, for which it has %s.", name, m.MemberEpoch,
			w.list(record.Partitions(m.PendingRevocation)), left(m.RebalanceDeadline, f.Now))
	case g.GroupEpoch > g.AssignmentEpoch:
		return fmt.Sprintf("The group is at epoch %d, its target still at %d: %s.", g.GroupEpoch, g.AssignmentEpoch, p.whyNoTarget())
	case m.MemberEpoch < g.AssignmentEpoch:
		return fmt.Sprintf("%s is at epoch %d and hears of target %d with its next heartbeat.", name, m.MemberEpoch, g.AssignmentEpoch)
	case len(m.Free) > 0 && len(blocked(m)) == 0:
		return fmt.Sprintf("%s is at epoch %d and takes %s with its next heartbeat.", name, m.MemberEpoch, w.list(m.Free))
	case m.SubscribedTopicRegex != "" && !resolved(g, m.SubscribedTopicRegex):
		return fmt.Sprintf("%s is at epoch %d; which topics %s matches is not resolved yet.", name, m.MemberEpoch, m.SubscribedTopicRegex)
	case len(blocked(m)) > 0 && len(without(blocked(m), copies(m))) == 0:
		it := "it"
		if len(blocked(m)) > 1 {
			it = "them"
		}
		return fmt.Sprintf("%s is at epoch %d, has %s as %s and waits for %s to give %s up.", name, m.MemberEpoch, w.list(blocked(m)), copyWord(m),
			prose.And(holders(f.State, blocked(m))), it)
	case len(blocked(m)) > 0:
		return fmt.Sprintf("%s is at epoch %d and waits for %s, still held by %s.", name, m.MemberEpoch, w.list(blocked(m)),
			prose.And(holders(f.State, blocked(m))))
	}
	return fmt.Sprintf("%s is at epoch %d and has all that the target gives it.", name, m.MemberEpoch)
}

func resolved(g *coordinator.Group, regex string) bool {
	for _, r := range g.ResolvedRegexes {
		if r.Regex == regex {
			return true
		}
	}
	return false
}

// silentUntil is when a member that never speaks again is removed.
func silentUntil(m *coordinator.Member) protocol.Instant {
	if m.RebalanceDeadline != 0 {
		return min(m.SessionDeadline, m.RebalanceDeadline)
	}
	return m.SessionDeadline
}

// whyNoTarget says, of a group whose target is behind, what computes the next.
func (p *Player) whyNoTarget() string {
	f := &p.frame
	if s := groupOf(f.State).Streams; s != nil && s.InitialRebalanceDeadline > f.Now {
		return "the next one is computed when the initial rebalance delay ends, in " + left(s.InitialRebalanceDeadline, f.Now)
	}
	if due := f.State.TargetDue; due > f.Now {
		return fmt.Sprintf("the assignment interval lets a heartbeat compute the next one in %s at the earliest", left(due, f.Now))
	}
	return "the next heartbeat computes a new one"
}

// whyOutside says why a client has no member. Whether it ever had one, its
// last heartbeat tells.
func (p *Player) whyOutside(name string, c *sim.ClientState) string {
	var last Inspection
	p.lastHeartbeat(c.ID, &last)
	if r := last.Response; r != nil && r.Error != protocol.None && c.State == "FATAL" {
		if last.Request.MemberEpoch == protocol.EpochJoining {
			return fmt.Sprintf("%s is not in the group: its join was refused with %s.", name, r.Error)
		}
		return fmt.Sprintf("%s is not in the group any more: it gave up after %s.", name, r.Error)
	}
	switch c.State {
	case "ABSENT":
		return name + " is not in the group yet."
	case "CRASHED":
		return name + " has crashed and is not in the group any more."
	case "JOINING":
		return name + " is about to join."
	}
	return name + " is not in the group any more."
}

func left(deadline, now protocol.Instant) string { return Left(deadline.Sub(now)) }

// blocked is what a member waits for and somebody holds. A record may go on
// listing what is free by now.
func blocked(m *coordinator.Member) []protocol.Partition { return without(m.Waiting, m.Free) }

// copies are the standby and warm-up tasks that a streams member has.
func copies(m *coordinator.Member) []protocol.Partition {
	if m.Streams == nil {
		return nil
	}
	return protocol.NewAssignment(slices.Concat(m.Streams.Standby.Partitions(), m.Streams.Warmup.Partitions())).Partitions()
}

// copyWord is what those copies are that a member is to run as active tasks.
func copyWord(m *coordinator.Member) string {
	if len(common(blocked(m), m.Streams.Warmup.Partitions())) > 0 {
		return "warm-up"
	}
	return "standby"
}

// holders are the members that hold any of the partitions, in order.
func holders(s *sim.State, ps []protocol.Partition) []string {
	var out []string
	for _, m := range groupOf(s).Members {
		for _, h := range append(record.Partitions(m.Assigned), record.Partitions(m.PendingRevocation)...) {
			if len(common([]protocol.Partition{h}, ps)) > 0 {
				out = append(out, s.NameOf(m.ID))
				break
			}
		}
	}
	return out
}

// who is everybody that has to do with one partition, in the books.
type who struct {
	holder, target, waiter *coordinator.Member
	asked, free            bool
	received               int32
}

func whoOf(s *sim.State, p protocol.Partition) who {
	var w who
	for _, m := range groupOf(s).Members {
		for _, h := range m.Assigned {
			if h.Partition == p {
				w.holder, w.received = m, h.AssignmentEpoch
			}
		}
		for _, h := range m.PendingRevocation {
			if h.Partition == p {
				w.holder, w.received, w.asked = m, h.AssignmentEpoch, true
			}
		}
		if m.Target.Contains(p) {
			w.target = m
		}
		for _, x := range blocked(m) {
			if x == p {
				w.waiter = m
			}
		}
		for _, x := range m.Free {
			if x == p {
				w.waiter, w.free = m, true
			}
		}
	}
	return w
}

func (p *Player) whyPartition(held protocol.Partition, w who) string {
	f := &p.frame
	part := wordingOf(f.State).one(held)
	epoch := groupOf(f.State).AssignmentEpoch
	called := func(m *coordinator.Member) string { return f.State.NameOf(m.ID) }
	switch {
	case w.holder == nil && w.target == nil:
		return fmt.Sprintf("Nobody owns %s, and no target gives it to anybody.", part)
	case w.holder == nil && w.free:
		return fmt.Sprintf("Nobody owns %s%s; %s takes it with its next heartbeat.", part, p.since(held), called(w.waiter))
	case w.holder == nil:
		return fmt.Sprintf("Nobody owns %s%s; target %d gives it to %s.", part, p.since(held), epoch, called(w.target))
	case w.asked && w.target != nil && w.target != w.holder:
		return fmt.Sprintf("%s is to go to %s: %s still holds it and has %s left to revoke it.", part, called(w.target), called(w.holder),
			left(w.holder.RebalanceDeadline, f.Now))
	case w.asked:
		return fmt.Sprintf("%s is to be given up by %s within %s.", part, called(w.holder), left(w.holder.RebalanceDeadline, f.Now))
	case w.target == nil:
		return fmt.Sprintf("%s owns %s, which no target gives to anybody.", called(w.holder), part)
	case w.target != w.holder:
		return fmt.Sprintf("%s owns %s until its next heartbeat; target %d gives it to %s.", called(w.holder), part, epoch, called(w.target))
	}
	return fmt.Sprintf("%s owns %s, as target %d says.", called(w.holder), part, epoch)
}

// since is " since K6", or "" for a partition that never had an owner.
func (p *Player) since(part protocol.Partition) string {
	if label := p.frame.ReleasedAt(part); label != "" {
		return " since " + label
	}
	return ""
}

// whyOther says that the id is that of a group of another type.
func whyOther(s *sim.State) string {
	who := "no members"
	if n := len(s.Other.Members); n > 0 {
		who = members(n)
	}
	return fmt.Sprintf("There is no streams group %s: the id belongs to a %s group with %s.", s.GroupID, s.Other.Type, who)
}

func (p *Player) whyGroup() string {
	s := p.frame.State
	g := groupOf(s)
	switch {
	case s.Other != nil:
		return whyOther(s)
	case s.Group == nil:
		return fmt.Sprintf("There is no group %s yet: the first heartbeat makes it.", s.GroupID)
	case g.State == coordinator.Empty:
		return "Empty: the group has no members."
	case g.Classic != nil:
		return g.Classic.State + ": " + whyClassic(s, g)
	case g.State == coordinator.NotReady:
		return "NotReady: " + whyNotReady(g.Streams)
	case g.State == coordinator.Assigning:
		return fmt.Sprintf("Assigning: the group is at epoch %d, its target still at %d: %s.", g.GroupEpoch, g.AssignmentEpoch, p.whyNoTarget())
	case g.State == coordinator.Stable:
		return fmt.Sprintf("Stable: %s at epoch %d, with all that the target gives.", members(len(g.Members)), g.GroupEpoch)
	}
	behind, revoking, waiting := 0, 0, 0
	for _, m := range g.Members {
		switch {
		case m.MemberEpoch < g.AssignmentEpoch:
			behind++
		case m.State == record.UnrevokedPartitions:
			revoking++
		case m.State == record.UnreleasedPartitions:
			waiting++
		}
	}
	var parts []string
	if behind > 0 {
		parts = append(parts, fmt.Sprintf("%d of %s behind", behind, members(len(g.Members))+" "+prose.IsAre(behind)))
	}
	if revoking > 0 {
		parts = append(parts, fmt.Sprintf("%d giving %ss up", revoking, wordingOf(s).noun()))
	}
	if waiting > 0 {
		parts = append(parts, fmt.Sprintf("%d waiting for %ss", waiting, wordingOf(s).noun()))
	}
	return "Reconciling: " + strings.Join(parts, ", ") + "."
}

// whyNotReady says what is wrong with the topics of a streams group.
func whyNotReady(g *coordinator.StreamsGroup) string {
	if g == nil || g.Status == nil {
		return "the topics of the topology have not been looked at yet."
	}
	switch g.Status.Code {
	case protocol.MissingSourceTopics:
		return fmt.Sprintf("%s %s missing.", prose.And(g.MissingTopics), prose.IsAre(len(g.MissingTopics)))
	case protocol.MissingInternalTopics:
		var names []string
		for _, t := range g.Creatable {
			names = append(names, t.Name)
		}
		return fmt.Sprintf("%s %s missing, and the broker is asked to create them.", prose.And(names), prose.IsAre(len(names)))
	}
	return "topics have other numbers of partitions than the topology needs."
}

func members(n int) string { return prose.Count(n, "member") }
