package coordinator

import (
	"fmt"
	"slices"

	"groupscope/core/consumergroup"
	"groupscope/core/prose"
	"groupscope/core/protocol"
	"groupscope/core/record"
)

// The texts about one member's reconciliation.

// sayOutcome explains a reconciliation. An acknowledged revocation and what
// follows from it are two decisions, the last one is the outcome.
func (h *heartbeat) sayOutcome(out *consumergroup.Outcome) {
	before, id := &h.after.Current, h.after.ID
	w := effect
	switch {
	case !out.Changed:
		w = idle
	case out.Step == consumergroup.Reached:
		w = moved
	case out.Step == consumergroup.Waits && h.groupEpoch > h.targetEpoch:
		w = cause // that there is no new target yet says more
	}
	if before.State == record.UnrevokedPartitions && out.Step != consumergroup.StillRevoking && out.Step != consumergroup.Trimmed {
		h.say(max(w, cause), ruleReconcile, textAcknowledged(id, before, out, h.targetEpoch))
		if out.Step == consumergroup.Reached {
			return
		}
	}
	rule := ruleReconcile
	if out.Step == consumergroup.Trimmed {
		rule = ruleTrim
	}
	h.say(w, rule, h.textOutcome(out))
}

func textAcknowledged(id string, before *record.CurrentMemberAssignmentValue, out *consumergroup.Outcome, target int32) string {
	gone := record.Partitions(before.PendingRevocation)
	text := listOf(gone) + " " + prose.IsAre(len(gone)) + " no longer among what " + id + " owns."
	if out.Next.MemberEpoch != before.MemberEpoch {
		text += " " + id + " moves to epoch " + itoa(target) + "."
	}
	return text
}

func (h *heartbeat) textOutcome(out *consumergroup.Outcome) string {
	id, next := h.after.ID, &out.Next
	switch out.Step {
	case consumergroup.StillRevoking:
		return h.textStillRevoking()
	case consumergroup.MustRevoke:
		return fmt.Sprintf("Target %d takes %s from %s. %s must revoke %s first, so %s stays at epoch %d.",
			h.targetEpoch, listOf(out.Dropped), id, id, it(out.Dropped), id, next.MemberEpoch)
	case consumergroup.Trimmed:
		return h.textTrimmed(out)
	case consumergroup.Took:
		return h.textTook(out)
	case consumergroup.Waits:
		return h.textWaits(out)
	case consumergroup.Reached:
		if len(h.target) == 0 {
			return h.moves(next) + ". Target " + itoa(h.targetEpoch) + " has nothing for it."
		}
		return h.moves(next) + ". It has nothing to give up and nothing to take."
	}
	return textSettled(h.after.ID, h.after.Epoch())
}

// moves reads "A moves to epoch 2", or "A is at epoch 2" if it was before.
func (h *heartbeat) moves(next *record.CurrentMemberAssignmentValue) string {
	if next.MemberEpoch == h.after.Epoch() {
		return h.after.ID + " is at epoch " + itoa(next.MemberEpoch)
	}
	return h.after.ID + " moves to epoch " + itoa(next.MemberEpoch)
}

func (h *heartbeat) textTook(out *consumergroup.Outcome) string {
	text := h.moves(&out.Next) + " and gets " + listOf(out.Got) + "."
	if h.after.Current.State == record.UnreleasedPartitions {
		text = listOf(out.Got) + " " + prose.IsAre(len(out.Got)) + " free now. " + text
	}
	if len(out.Blocked) > 0 {
		text += " It waits for " + h.textBlocked(out.Blocked) + "."
	}
	return text
}

func (h *heartbeat) textWaits(out *consumergroup.Outcome) string {
	before, next := &h.after.Current, &out.Next
	still := h.after.ID + " still waits for " + h.textBlocked(out.Blocked) + "."
	switch {
	case !out.Changed:
		return still
	case next.MemberEpoch == before.MemberEpoch && before.State == record.UnreleasedPartitions:
		return still + " Only its previous epoch is written anew."
	}
	return h.moves(next) + ". It cannot have " + listOf(out.Blocked) + " yet: " + h.textHolders(out.Blocked) + "."
}

func (h *heartbeat) textStillRevoking() string {
	pending := record.Partitions(h.after.Current.PendingRevocation)
	how := "still owns some of "
	if h.req.TopicPartitions == nil {
		how = "does not say what it owns, so it may still have "
	}
	return h.after.ID + " " + how + listOf(pending) + ". It stays at epoch " + itoa(h.after.Epoch()) + "."
}

func (h *heartbeat) textTrimmed(out *consumergroup.Outcome) string {
	if len(out.Dropped) == 0 {
		return h.after.ID + " subscribes to nothing and has nothing to give up."
	}
	text := h.after.ID + " no longer subscribes to the topics of " + listOf(out.Dropped)
	if out.Next.State == record.UnrevokedPartitions {
		return text + ". It must revoke them before it can move on."
	}
	return text + ", and has given them up already."
}

// textBlocked names wanted partitions and who has them.
func (h *heartbeat) textBlocked(blocked []protocol.Partition) string {
	return listOf(blocked) + " (" + h.textHolders(blocked) + ")"
}

// textHolders reads "A still has it".
func (h *heartbeat) textHolders(blocked []protocol.Partition) string {
	var holders []string
	for _, p := range blocked[:min(len(blocked), namedPartitions)] {
		if m := h.group.Holder(p); m != nil && !slices.Contains(holders, m.ID) {
			holders = append(holders, m.ID)
		}
	}
	verb := " still has "
	if len(holders) > 1 {
		verb = " still have "
	}
	return and(holders) + verb + it(blocked)
}
