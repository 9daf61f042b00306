package coordinator

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"groupscope/core/protocol"
	"groupscope/core/rules"
	"groupscope/core/streamsgroup"
)

// The rules that a Decision about a streams group names. A line of the
// heartbeat handling in KIP-1071 goes by its number.
const (
	ruleStreamsValidation = "KIP-1071 heartbeat 1"
	ruleStreamsCreate     = "KIP-1071 heartbeat 2.1"
	ruleTopologyTaken     = "KIP-1071 heartbeat 2.1.1"
	ruleStreamsType       = "KIP-1071 heartbeat 2.2"
	ruleStreamsTopology   = "KIP-1071 heartbeat 2.3"
	ruleTopologyUpdate    = "KIP-1071 heartbeat 2.3.4"
	ruleStreamsJoin       = "KIP-1071 heartbeat 2.4"
	ruleStreamsLookup     = "KIP-1071 heartbeat 3.2"
	ruleStreamsMember     = "KIP-1071 heartbeat 3.3"
	ruleStale             = "KIP-1071 heartbeat 3.5"
	ruleStreamsMetadata   = "KIP-1071 heartbeat 4"
	ruleStreamsTopics     = "KIP-1071 heartbeat 5"
	ruleStreamsReconcile  = "KIP-1071 heartbeat 6"

	ruleStreamsStatic = "KIP-1071, static membership"
	ruleStreamsLeave  = "KIP-1071, leave"
	ruleStreamsTarget = "KIP-1071, target assignment"
	ruleWarmup        = "KIP-1071, warm-up tasks"
	ruleShutdown      = "KIP-1071, shutdown application"

	ruleStreamsMaxSize    = "group.streams.max.size"
	ruleDelay             = "group.streams.initial.rebalance.delay.ms"
	ruleNoUpdate          = "Kafka, no topology update"
	ruleStaticMetadata    = "Kafka, static member"
	ruleAssignmentConfigs = "Kafka, assignment configs"
	ruleRefined           = "Kafka, refined assignment"
	ruleFaultUnconfigured = "Kafka, fault F1: endpoints without a configured topology"
	ruleFaultTopicGone    = "Kafka, fault F2: endpoints with a deleted topic"
	ruleFaultIndex        = "Kafka, fault F3: copartition index"
)

// fencingRule names whose way of fencing a member is in force.
func (h *streamsHeartbeat) fencingRule() string {
	return lineOrKafka(h.c.cfg.Rules.RemoveFencedMember, "3.4", "fencing")
}

// lostResponseRule names whose bound on the owned tasks is in force.
func (h *streamsHeartbeat) lostResponseRule() string {
	return lineOrKafka(h.c.cfg.Rules.LostResponseOwned == rules.WithinTarget, "3.4", "lost-response rule")
}

// endpointRule names whose way of sharing endpoint information is in force.
func (h *streamsHeartbeat) endpointRule() string {
	return lineOrKafka(h.c.cfg.Rules.EndpointInformation == rules.WhenConverged, "7", "endpoint information")
}

func (h *streamsHeartbeat) bound() string {
	if h.c.cfg.Rules.LostResponseOwned == rules.WithinTarget {
		return "its target"
	}
	return "what it was granted"
}

// topologyRule is a line of the KIP if its own error answers, else Kafka.
func topologyRule(code protocol.ErrorCode, line string) string {
	return lineOrKafka(code == protocol.StreamsInvalidTopologyEpoch || code == protocol.StreamsTopologyFenced, line, "no topology update")
}

func lineOrKafka(kip bool, line, what string) string {
	if kip {
		return "KIP-1071 heartbeat " + line
	}
	return "Kafka, " + what
}

// tasksOf reads "0_0, 0_1 and 0_2", or "0_0, … and 12 more".
func tasksOf(tasks []protocol.Partition) string {
	named := min(len(tasks), namedPartitions)
	words := make([]string, 0, named+1)
	for _, t := range tasks[:named] {
		words = append(words, protocol.TaskName(t))
	}
	if more := len(tasks) - named; more > 0 {
		words = append(words, strconv.Itoa(more)+" more")
	}
	return and(words)
}

// rolesOf reads "0_0 and 0_1, and 1_0 as standby".
func rolesOf(r *streamsgroup.Roles) string {
	var parts []string
	if len(r.Active) > 0 {
		parts = append(parts, tasksOf(r.Active))
	}
	if len(r.Standby) > 0 {
		parts = append(parts, tasksOf(r.Standby)+" as standby")
	}
	if len(r.Warmup) > 0 {
		parts = append(parts, tasksOf(r.Warmup)+" as warm-up")
	}
	if len(parts) == 0 {
		return "nothing"
	}
	return strings.Join(parts, ", and ")
}

// partOf reads as rolesOf, for a part of the target.
func partOf(t protocol.Tasks) string {
	return rolesOf(&streamsgroup.Roles{
		Active: t.Active.Partitions(), Standby: t.Standby.Partitions(), Warmup: t.Warmup.Partitions(),
	})
}

func textStreamsTarget(epoch int32, assignor string, ready bool, target *streamsgroup.Target) string {
	if !ready {
		return fmt.Sprintf("Target %d: the topics are not as the topology needs them, so nobody is to run a task.", epoch)
	}
	text := "Target " + itoa(epoch) + ", by " + assignor + ": "
	for i, part := range target.First(namedMembers) {
		if i > 0 {
			text += "; "
		}
		text += part.Member + " " + partOf(part.Tasks)
	}
	if more := target.Len() - namedMembers; more > 0 {
		text += "; and " + strconv.Itoa(more) + " more"
	}
	return text + ". " + textDiffers(len(target.Changed), target.Len())
}

// sayOutcome explains a reconciliation. An acknowledged revocation and what
// follows from it are two decisions, the last one is the outcome.
func (h *streamsHeartbeat) sayOutcome(out *streamsgroup.Outcome) {
	if out.Step == streamsgroup.Settled && h.after == h.before && !h.isNew && h.replaces == "" && !h.wasRevoking() {
		h.group.idle.say(&h.operation, h.after, ruleStreamsReconcile, h.after.ID, h.after.Epoch())
		return
	}
	before, id := &h.after.Current, h.after.ID
	w := effect
	switch {
	case !out.Changed:
		w = idle
	case out.Step == streamsgroup.Reached && out.Turned.Empty():
		w = moved
	case out.Step == streamsgroup.Waits && h.groupEpoch > h.targetEpoch:
		w = cause // that there is no new target yet says more
	}
	if h.wasRevoking() && out.Step != streamsgroup.StillRevoking {
		gone := streamsgroup.Pending(before)
		text := fmt.Sprintf("%s no longer lists %s, so it has given %s up.", id, rolesOf(&gone), it(gone.All()))
		if out.Step == streamsgroup.Reached {
			h.say(max(w, cause), ruleStreamsReconcile, text+" It"+strings.TrimPrefix(h.moves(out.Next.MemberEpoch), id)+"."+textTurned(id, &out.Turned))
			return
		}
		h.say(max(w, cause), ruleStreamsReconcile, text)
	}
	h.say(w, ruleStreamsReconcile, h.textOutcome(out))
}

func (h *streamsHeartbeat) textOutcome(out *streamsgroup.Outcome) string {
	id, next := h.after.ID, &out.Next
	switch out.Step {
	case streamsgroup.StillRevoking:
		return h.textStillRevoking()
	case streamsgroup.MustRevoke:
		text := fmt.Sprintf("Target %d takes %s from %s, which must give %s up first and stays at epoch %d.",
			h.targetEpoch, rolesOf(&out.Dropped), id, it(out.Dropped.All()), next.MemberEpoch)
		if next.MemberEpoch != h.after.Epoch() {
			text = fmt.Sprintf("Target %d takes %s from %s as well. %s must give %s up first; its epoch goes to %d, which was never a target.",
				h.targetEpoch, rolesOf(&out.Dropped), id, id, it(out.Dropped.All()), next.MemberEpoch)
		}
		return text + textTurned(id, &out.Turned)
	case streamsgroup.Took:
		text := h.moves(next.MemberEpoch) + " and gets " + rolesOf(&out.Got) + "." + textTurned(id, &out.Turned)
		if !out.Blocked.Empty() {
			text += " It waits for " + rolesOf(&out.Blocked) + ": " + h.textHolders(&out.Blocked) + "."
		}
		return text
	case streamsgroup.Waits:
		return h.textWaits(out)
	case streamsgroup.Reached:
		if streamsgroup.SameTasks(h.part, protocol.Tasks{}) {
			return h.moves(next.MemberEpoch) + ". Target " + itoa(h.targetEpoch) + " has nothing for it."
		}
		return h.moves(next.MemberEpoch) + ". It has nothing to give up and nothing to take." + textTurned(id, &out.Turned)
	}
	return textSettled(id, h.after.Epoch())
}

// textTurned says which tasks change their role within the member.
func textTurned(id string, turned *streamsgroup.Roles) string {
	if turned.Empty() {
		return ""
	}
	return " " + id + " keeps " + rolesOf(turned) + "."
}

// moves reads "A moves to epoch 2", or "A is at epoch 2" if it was before.
func (h *streamsHeartbeat) moves(epoch int32) string {
	if epoch == h.after.Epoch() {
		return h.after.ID + " is at epoch " + itoa(epoch)
	}
	return h.after.ID + " moves to epoch " + itoa(epoch)
}

func (h *streamsHeartbeat) textWaits(out *streamsgroup.Outcome) string {
	what, why := rolesOf(&out.Blocked), h.textHolders(&out.Blocked)
	if out.Next.MemberEpoch == h.after.Epoch() {
		return h.after.ID + " still waits for " + what + ": " + why + "."
	}
	return h.moves(out.Next.MemberEpoch) + ". It cannot have " + what + " yet: " + why + "."
}

// textHolders reads "A still has them"; where nobody has a task active,
// another copy in the member's process is in the way.
func (h *streamsHeartbeat) textHolders(blocked *streamsgroup.Roles) string {
	var holders []string
	for _, task := range blocked.Active[:min(len(blocked.Active), namedPartitions)] {
		if m := h.group.Holder(task); m != nil && !slices.Contains(holders, m.ID) {
			holders = append(holders, m.ID)
		}
	}
	switch len(holders) {
	case 0:
		return "its process still has another copy"
	case 1:
		if holders[0] == h.after.ID {
			return "it has only just given " + it(blocked.Active) + " up"
		}
		return holders[0] + " still has " + it(blocked.Active)
	}
	return and(holders) + " still have them"
}

func (h *streamsHeartbeat) textStillRevoking() string {
	pending := streamsgroup.Pending(&h.after.Current)
	how := "still owns some of "
	if !h.req.Owned.Present() {
		how = "does not say what it owns, so it may still have "
	}
	return h.after.ID + " " + how + rolesOf(&pending) + ". It stays at epoch " + itoa(h.after.Epoch()) + "."
}
