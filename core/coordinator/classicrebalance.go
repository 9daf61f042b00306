package coordinator

import (
	"fmt"

	"groupscope/core/classicgroup"
	"groupscope/core/prose"
	"groupscope/core/protocol"
)

// start starts a timer of the classic group, or of a member.
func (o *classicOperation) start(kind TimerKind, member string, d protocol.Duration) {
	o.c.timers.start(timerKey{kind, o.g.ID, member}, o.now.Add(d), o.g.Generation)
}

func (o *classicOperation) cancel(kind TimerKind, member string) {
	o.c.timers.cancel(timerKey{kind, o.g.ID, member})
}

// startHeartbeat starts a member's session timer anew.
func (o *classicOperation) startHeartbeat(m *classicgroup.Member, d protocol.Duration) {
	o.start(HeartbeatTimer, m.ID, d)
}

// prepareOrComplete begins a rebalance, or, if one is under way, ends its
// first part when everybody is there.
func (o *classicOperation) prepareOrComplete() {
	if o.g.State == classicgroup.PreparingRebalance {
		o.maybeComplete()
		return
	}
	o.prepare()
}

// prepare begins a rebalance: everybody has to join. A group that was empty
// gives others time to come as well.
func (o *classicOperation) prepare() {
	if o.g.State == classicgroup.CompletingRebalance {
		o.abandonSyncs()
	}
	o.g.ForgetUnsent()
	o.cancel(SyncTimer, "")
	if o.g.State == classicgroup.Empty {
		delay := o.c.cfg.InitialRebalanceDelay
		o.g.extension = max(o.g.RebalanceTimeout()-delay, 0)
		o.start(JoinTimer, "", delay)
		o.g.Move(classicgroup.PreparingRebalance, o.now)
		o.say(effect, ruleClassic, textClassicDelay(delay))
		return
	}
	o.g.Move(classicgroup.PreparingRebalance, o.now)
	o.say(effect, ruleClassic, fmt.Sprintf("Everybody in the group must join again, within %s.", o.g.RebalanceTimeout()))
	if o.g.AllJoined() {
		o.complete()
		return
	}
	o.g.extension = 0
	o.start(JoinTimer, "", o.g.RebalanceTimeout())
}

// abandonSyncs tells those who wait for their assignments to join again.
func (o *classicOperation) abandonSyncs() {
	for _, id := range o.g.IDs() {
		m := o.g.Change(id, func(m *classicgroup.Member) { m.Assignment = nil })
		o.finishSync(m, protocol.SyncGroupResponse{Error: protocol.RebalanceInProgress, ErrorMessage: "The group comes together anew."})
	}
}

// finishSync answers a member's SyncGroup, if one waits.
func (o *classicOperation) finishSync(m *classicgroup.Member, answer protocol.SyncGroupResponse) {
	if m.Sync == 0 {
		return
	}
	o.answerSync(m.Sync, answer)
	o.g.Change(m.ID, func(m *classicgroup.Member) { m.Sync = 0 })
	o.startHeartbeat(m, m.SessionTimeout)
}

// maybeComplete ends the first part of a rebalance if everybody has joined.
// The initial one ends only when its time is up.
func (o *classicOperation) maybeComplete() {
	if o.g.State == classicgroup.PreparingRebalance && o.g.Previous != classicgroup.Empty && o.g.AllJoined() {
		o.complete()
	}
}

// complete makes the next generation of those who joined. Dynamic members
// that did not are out.
func (o *classicOperation) complete() {
	o.cancel(JoinTimer, "")
	for _, id := range o.g.IDs() {
		if m := o.g.Member(id); m.Join == 0 && m.InstanceID == nil {
			o.g.Remove(id)
			o.cancel(HeartbeatTimer, id)
			o.say(cause, ruleClassic, id+" did not join in time and is removed.")
		}
	}
	if !o.g.LeaderJoined() && o.g.Size() > 0 {
		o.g.extension = 0
		o.start(JoinTimer, "", o.g.RebalanceTimeout())
		o.say(effect, ruleClassic, "Nobody has joined. The group goes on waiting.")
		return
	}
	o.g.NextGeneration(o.now)
	if o.g.State == classicgroup.Empty {
		o.records = append(o.records, o.groupRecord(o.g.Value(nil)))
		o.c.note(o.records)
		o.say(effect, ruleClassic, "Group "+o.g.ID+" is empty now, at generation "+itoa(o.g.Generation)+".")
		return
	}
	for _, id := range o.g.IDs() {
		m := o.g.Member(id)
		o.answerJoin(m.Join, o.generation(m, o.g.Leader == id))
		o.g.Change(id, func(m *classicgroup.Member) { m.Join, m.New = 0, false })
		o.startHeartbeat(m, m.SessionTimeout)
	}
	o.start(SyncTimer, "", o.g.RebalanceTimeout())
	o.say(effect, ruleClassic, fmt.Sprintf("Generation %d has %s. %s leads and assigns.", o.g.Generation, prose.Count(o.g.Size(), "member"), o.g.Leader))
}

// fire acts on a timer of a classic group. Timers of another type of group
// that had the id before find nothing.
func (g *classicGroup) fire(c *Coordinator, t timer) Expiry {
	o := &classicOperation{operation: operation{c: c, now: t.deadline}, g: g}
	rule := t.key.kind.rule()
	switch {
	case t.key.kind == HeartbeatTimer:
		o.expireMember(t.key.member)
	case t.key.kind == JoinTimer && t.key.member == "":
		o.expireJoin()
	case t.key.kind == SyncTimer && t.key.member == "" && t.epoch == g.Generation:
		o.expireSync()
	default:
		o.say(idle, rule, textTimerOfOldGroup(g.ID))
	}
	g.view = nil
	out := o.expiry(t)
	out.Completed = o.answered
	return out
}

// expireJoin ends the time to join. In the initial rebalance it is extended
// as long as others come.
func (o *classicOperation) expireJoin() {
	if !o.g.MoreCame || o.g.extension == 0 {
		o.complete()
		return
	}
	o.g.MoreCame = false
	delay := min(o.c.cfg.InitialRebalanceDelay, o.g.extension)
	o.g.extension = max(o.g.extension-o.c.cfg.InitialRebalanceDelay, 0)
	o.start(JoinTimer, "", delay)
	o.say(effect, JoinTimer.rule(), "Others have come meanwhile. The group waits another "+delay.String()+".")
}

// expireSync removes the members that did not ask for their assignment.
func (o *classicOperation) expireSync() {
	late := o.g.Unsent()
	if len(late) == 0 {
		o.say(idle, SyncTimer.rule(), "Everybody has asked for its assignment. Nothing changes.")
		return
	}
	for _, id := range late {
		o.g.Remove(id)
		o.cancel(HeartbeatTimer, id)
	}
	o.say(cause, SyncTimer.rule(), and(late)+" did not ask for an assignment in time: removed.")
	o.prepare()
}

// expireMember ends a member's session.
func (o *classicOperation) expireMember(id string) {
	rule := HeartbeatTimer.rule()
	m := o.g.Member(id)
	switch {
	case o.g.IsPending(id):
		o.g.Remove(id)
		o.say(cause, rule, id+" never joined under its name.")
		if o.g.State == classicgroup.PreparingRebalance && o.g.AllJoined() {
			o.complete()
		}
	case m == nil:
		o.say(idle, rule, textTimerOfNobody(id))
	case !m.New && (m.Join != 0 || m.Sync != 0):
		o.say(idle, rule, id+" waits for an answer, so it is alive. Nothing changes.")
	default:
		o.say(cause, rule, id+" was silent for too long and is removed.")
		o.removeMember(m)
		switch {
		case o.g.State == classicgroup.Stable || o.g.State == classicgroup.CompletingRebalance:
			o.prepare()
		case o.g.State == classicgroup.PreparingRebalance && o.g.AllJoined():
			o.complete()
		}
	}
}

// removeMember takes a member out; a JoinGroup of it that waits is refused.
func (o *classicOperation) removeMember(m *classicgroup.Member) {
	o.answerJoin(m.Join, protocol.JoinGroupResponse{
		Error: protocol.UnknownMemberID, ErrorMessage: m.ID + " was removed.", GenerationID: -1,
	})
	o.g.Remove(m.ID)
}
