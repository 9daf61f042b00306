package conformance

import (
	"slices"

	"groupscope/core/coordinator"
	"groupscope/core/protocol"
)

// latest bounds the clock, far from overflowing.
const latest = 1 << 50

func (r *runner) readHeartbeat(f *fields) action {
	kind := r.kind(f)
	for _, remark := range []string{"lost", "duplicate", "violation"} {
		f.flag(remark)
	}
	q, client, version := r.header(f, heartbeatVersion)
	if kind == coordinator.StreamsType {
		req := r.streamsHeartbeat(q, client)
		q.done()
		return action{group: req.GroupID, do: func(out outcome) {
			result := r.coordinator.StreamsHeartbeat(r.now, req)
			if version < clientTagsVersion {
				result.Response.Status = slices.DeleteFunc(slices.Clone(result.Response.Status), func(s protocol.Status) bool {
					return s.Code == protocol.MissingClientTags
				})
			}
			out.answer(result.Response.Error, streamsResponse(&result.Response))
			if len(result.Creatable) > 0 {
				out["creatableTopics"] = creatable(result.Creatable)
			}
			out.put("records", r.records(result.Records))
		}}
	}
	req := r.consumerHeartbeat(q, client)
	q.done()
	if version < ownIDVersion && req.MemberID == "" && req.MemberEpoch == 0 {
		q.wanted("memberId", "an id: one that the broker draws is not told")
	}
	return action{group: req.GroupID, do: func(out outcome) {
		result := r.coordinator.Heartbeat(r.now, req)
		out.answer(result.Response.Error, consumerResponse(&result.Response))
		out.put("records", r.records(result.Records))
		out.put("completed", r.completed(result.Completed))
	}}
}

// kind is the protocol of a heartbeat or a describe.
func (r *runner) kind(f *fields) coordinator.GroupType {
	other := "streams"
	if r.trace.kind == other {
		other = "consumer"
	}
	if f.choice("kind", r.trace.kind, other) == "streams" {
		return coordinator.StreamsType
	}
	return coordinator.ConsumerType
}

// readAdvance moves the clock; timers fire on the way.
func (r *runner) readAdvance(f *fields) action {
	ms := f.int64("ms", 0)
	if ms < 0 || ms > latest-int64(r.now) {
		f.wanted("ms", "a length of time")
	}
	return action{group: r.trace.config.group, do: func(out outcome) {
		r.now = r.now.Add(protocol.Duration(ms))
		var fired, completed []any
		for _, e := range r.coordinator.Expire(r.now) {
			timer := outcome{"timer": timerName(e), "timeMs": int64(e.At)}
			timer.put("records", r.records(e.Records))
			fired = append(fired, object(timer))
			completed = append(completed, r.completed(e.Completed)...)
		}
		out.put("expired", fired)
		out.put("completed", completed)
	}}
}

// timerNames are Kafka's; the group and the member follow.
var timerNames = map[coordinator.TimerKind]string{
	coordinator.SessionTimer: "session-timeout-", coordinator.RebalanceTimer: "rebalance-timeout-",
	coordinator.InitialRebalanceTimer: "initial-rebalance-timeout-", coordinator.JoinTimer: "join-",
	coordinator.SyncTimer: "sync-", coordinator.HeartbeatTimer: "heartbeat-",
}

func timerName(e coordinator.Expiry) string {
	name := timerNames[e.Timer] + e.Group
	if e.Member != "" {
		name += "-" + e.Member
	}
	return name
}

func (r *runner) readTopics(f *fields) action {
	if !f.has("topics") {
		f.wanted("topics", "a list of topics")
	}
	topics := r.trace.readTopics(f.objects("topics"))
	return action{group: r.trace.config.group, do: func(outcome) { r.coordinator.SetTopics(r.now, topics) }}
}

// readTarget tells the scripted assignor what to answer from now on.
func (r *runner) readTarget(f *fields) action {
	script := map[string]protocol.Tasks{}
	of := f.object("assignment")
	if of == nil {
		f.wanted("assignment", "members and what they get")
		return action{}
	}
	for _, member := range of.names() {
		if r.trace.kind == "consumer" {
			script[member] = protocol.Tasks{Active: of.target(member)}
			continue
		}
		tasks := of.object(member)
		script[member] = protocol.Tasks{Active: tasks.target("active"), Standby: tasks.target("standby")}
		tasks.done()
	}
	return action{group: r.trace.config.group, do: func(outcome) { r.targets.script = script }}
}

func (r *runner) readGroupConfig(f *fields) action {
	config, group := f.textMap("groupConfig"), r.groupOf(f)
	if config == nil {
		f.wanted("groupConfig", "configs and their values")
	}
	return action{group: group, do: func(out outcome) {
		if err := r.coordinator.SetGroupConfig(r.now, group, config); err != nil {
			out["error"] = object{"code": err.Error()}
		}
	}}
}

func (r *runner) readDescribe(f *fields) action {
	kind, group := r.kind(f), r.groupOf(f)
	return action{group: group, do: func(out outcome) {
		d := r.coordinator.Describe(group, kind)
		out["response"] = description(&d)
	}}
}

func (r *runner) readDeleteGroup(f *fields) action {
	group := r.groupOf(f)
	return action{group: group, do: func(out outcome) { r.administered(out, r.coordinator.DeleteGroup(r.now, group)) }}
}

func (r *runner) readCleanup(*fields) action {
	return action{group: r.trace.config.group, do: func(out outcome) { r.administered(out, r.coordinator.Cleanup(r.now)) }}
}

func (r *runner) administered(out outcome, result coordinator.AdminResult) {
	out.answer(result.Error, nil)
	out.put("records", r.records(result.Records))
}

func (r *runner) readRunExecutor(*fields) action {
	return action{group: r.trace.config.group, do: func(out outcome) { out.put("async", r.runBackground()) }}
}
