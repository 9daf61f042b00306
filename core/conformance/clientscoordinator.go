package conformance

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"groupscope/core/coordinator"
	"groupscope/core/protocol"
)

// ownAnswers is our coordinator in the place of the one of the trace. It
// tells of its group whenever that changed.
type ownAnswers struct {
	*runner
	deltas bool
	topics []protocol.Topic // that exist now
	told   object           // the group as it was told last
	// recorded are the targets of the trace that were not taken yet.
	recorded []targetAt
}

func newOwnAnswers(t *ClientRun, opts Options) (*ownAnswers, error) {
	t.trace.config.compact = true // session timers are not told
	a := &ownAnswers{deltas: t.deltas, recorded: targetsOf(t)}
	a.runner = &runner{trace: &t.trace, now: RunStart, targets: newTargets(&t.trace.config, opts)}
	a.coordinator = coordinator.New(t.trace.config.broker)
	a.topics = t.Topics
	a.coordinator.SetTopics(RunStart, t.Topics)
	if err := a.coordinator.SetGroupConfig(RunStart, t.trace.config.group, t.trace.config.groupConfig); err != nil {
		return nil, fmt.Errorf("config.groupConfig: %w", err)
	}
	return a, nil
}

// String implements answers.
func (a *ownAnswers) String() string { return "" }

func (a *ownAnswers) answer(r *liveRun, _ *liveClient, l *letter) *answer {
	a.offerTargets(r.now)
	if l.Streams != nil {
		req := *l.Streams
		req.ClientID, req.ClientHost = defaultClient, clientHost
		result := a.coordinator.StreamsHeartbeat(r.now, req)
		a.create(r, result.Creatable)
		return &answer{streams: &result.Response}
	}
	req := l.Request
	req.ClientID, req.ClientHost = defaultClient, clientHost
	result := a.coordinator.Heartbeat(r.now, req)
	return &answer{consumer: result.Response}
}

// create makes the internal topics that the coordinator asks for, after a time,
// those that are not there by then.
func (a *ownAnswers) create(r *liveRun, topics []protocol.CreatableTopic) {
	if len(topics) == 0 || !r.run.CreateTopics {
		return
	}
	r.at(r.now.Add(r.run.CreateTopicsAfter), func() {
		all := slices.Clone(a.topics)
		for _, t := range topics {
			if !slices.ContainsFunc(all, func(o protocol.Topic) bool { return o.Name == t.Name }) {
				id := protocol.TopicID(t.Name)
				all = append(all, protocol.Topic{ID: id, Name: t.Name, Partitions: t.Partitions, UUID: r.run.trace.topicIDs[t.Name]})
			}
		}
		if len(all) == len(a.topics) {
			return
		}
		r.tell("action", nil, object{"op": "topics", "auto": true, "topics": each(all, func(t protocol.Topic) object {
			return object{"name": t.Name, "partitions": int64(t.Partitions)}
		})})
		a.topics = all
		r.changes = append(r.changes, topicChange{r.now, all})
		a.coordinator.SetTopics(r.now, all)
		a.tellGroup(r)
	})
}

// expire fires the timers up to an instant, the clock standing at each.
func (a *ownAnswers) expire(r *liveRun, until protocol.Instant) {
	for {
		next, runs := a.coordinator.NextDeadline()
		if !runs || next > until {
			return
		}
		r.now = max(r.now, next)
		a.offerTargets(r.now)
		for _, e := range a.coordinator.Expire(r.now) {
			if len(e.Records) > 0 {
				r.tell("timer", nil, object{"timer": strings.TrimSpace(strings.TrimSuffix(timerNames[e.Timer], "-") + " " + e.Member)})
			}
		}
		a.tellGroup(r)
	}
}

func (a *ownAnswers) setTopics(r *liveRun, act *RunAction) {
	a.topics = act.Topics
	a.coordinator.SetTopics(r.now, act.Topics)
}

func (a *ownAnswers) setGroupConfig(r *liveRun, act *RunAction) error {
	return a.coordinator.SetGroupConfig(r.now, a.trace.config.group, act.GroupConfig)
}

func (a *ownAnswers) setTarget(_ *liveRun, act *RunAction) { a.targets.script = act.Target }

func (a *ownAnswers) deleteGroup(r *liveRun, _ *RunAction) {
	a.coordinator.DeleteGroup(r.now, a.trace.config.group)
}

// tellGroup runs what waits, and tells of the group if it changed.
func (a *ownAnswers) tellGroup(r *liveRun) {
	a.coordinator.RunBackground(r.now)
	now := relative(a.group(a.trace.config.group))
	before := a.told
	a.told = now
	if same(before, now) {
		return
	}
	if a.deltas && before["type"] != nil && before["type"] == now["type"] {
		now = delta(before, now)
	}
	r.tell("group", nil, object{"group": now})
}

// relative is a group as the events of clients have it: without assignment
// epochs, its timers counted from the start of the run.
func relative(group object) object {
	out := plainly(group)
	if members, ok := group["members"].(object); ok {
		mine := object{}
		for id, m := range members {
			mine[id] = plainly(m.(object))
		}
		out["members"] = mine
	}
	return out
}

// plainly copies what the events tell of a group, a member or its tasks.
func plainly(o object) object {
	out := maps.Clone(o)
	for _, name := range []string{"groupId", "assignedEpochs", "pendingRevocationEpochs", "activeEpochs"} {
		delete(out, name)
	}
	for _, name := range []string{"rebalanceDeadlineMs", "initialRebalanceDeadlineMs"} {
		if at, ok := out[name].(int64); ok {
			out[name] = at - int64(RunStart)
		}
	}
	if pending, ok := out["pendingRevocation"].(object); ok {
		out["pendingRevocation"] = plainly(pending)
	}
	return out
}
