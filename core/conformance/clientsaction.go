package conformance

import (
	"fmt"
	"maps"
	"slices"

	"groupscope/core/client"
	"groupscope/core/protocol"
)

// liveAction is something that is done to the clients, the network or the
// broker. tree is what its event says of it.
type liveAction struct {
	at     protocol.Instant
	op     string
	member string
	tree   object // as its event has it

	count          int
	span           protocol.Duration // durMs, ms, delayMs
	code, findCode protocol.ErrorCode
	option         client.LeaveOption
	subscription   client.Subscription
	times          map[client.CallbackKind]protocol.Duration
	what           client.CallbackKind
	topics         []protocol.Topic
	groupConfig    map[string]string
	target         map[string]protocol.Tasks
	progress       []client.TaskProgress
}

// ofMembers are the actions that are about a member, ofAll those that are not.
var ofMembers = map[string]func(*liveRun, *liveClient, *liveAction){
	"loseRequest":   func(_ *liveRun, c *liveClient, a *liveAction) { c.loseRequests += a.count },
	"loseResponse":  func(_ *liveRun, c *liveClient, a *liveAction) { c.loseResponses += a.count },
	"delayRequest":  func(_ *liveRun, c *liveClient, a *liveAction) { c.up.extra, c.up.delayed = a.span, a.count },
	"delayResponse": func(_ *liveRun, c *liveClient, a *liveAction) { c.down.extra, c.down.delayed = a.span, a.count },
	"duplicate":     func(_ *liveRun, c *liveClient, a *liveAction) { c.duplicates, c.duplicateAfter = a.count, a.span },
	"latency":       func(_ *liveRun, c *liveClient, a *liveAction) { c.latency = a.span },
	"disconnect":    func(r *liveRun, c *liveClient, _ *liveAction) { r.fail(c, "disconnect") },
	"partition":     func(r *liveRun, c *liveClient, a *liveAction) { c.cutUntil = r.now.Add(a.span) },
	"crash":         (*liveRun).crash,
	"close":         (*liveRun).close,
	"unsubscribe":   func(r *liveRun, c *liveClient, _ *liveAction) { r.did(c, c.Unsubscribe(r.now)) },
	"subscribe":     func(r *liveRun, c *liveClient, a *liveAction) { r.did(c, c.Subscribe(r.now, a.subscription)) },
	"pausePoll":     (*liveRun).pausePoll,
	"callbackMs": func(_ *liveRun, c *liveClient, a *liveAction) {
		for what, takes := range a.times {
			c.SetCallbackTime(what, takes)
		}
	},
	"failCallback":        func(_ *liveRun, c *liveClient, a *liveAction) { c.FailCallbacks(a.what, a.count) },
	"offsets":             func(r *liveRun, c *liveClient, a *liveAction) { r.did(c, c.ReportOffsets(r.now, a.progress)) },
	"shutdownApplication": func(r *liveRun, c *liveClient, _ *liveAction) { c.ShutDownApplication(r.now) },
}

var ofAll = map[string]func(*liveRun, *liveAction){
	"brokerError": func(r *liveRun, a *liveAction) { r.outage = outage{r.now.Add(a.span), a.code, a.findCode} },
	"topics": func(r *liveRun, a *liveAction) {
		r.changes = append(r.changes, topicChange{r.now.Add(a.span), a.topics})
		r.answers.setTopics(r, a)
		r.answers.tellGroup(r)
	},
	"groupConfig": func(r *liveRun, a *liveAction) {
		if err := r.answers.setGroupConfig(r, a); err != nil && r.fault == nil {
			r.fault = fmt.Errorf("the group config of %d ms: %w", a.at-origin, err)
		}
	},
	"target": func(r *liveRun, a *liveAction) { r.answers.setTarget(r, a) },
	"deleteGroup": func(r *liveRun, a *liveAction) {
		r.answers.deleteGroup(r, a)
		r.answers.tellGroup(r)
	},
}

var callbacksByName = map[string]client.CallbackKind{
	"onPartitionsRevoked": client.PartitionsRevoked, "onPartitionsAssigned": client.PartitionsAssigned, "onPartitionsLost": client.PartitionsLost,
	"onTasksRevoked": client.TasksRevoked, "onTasksAssigned": client.TasksAssigned, "onAllTasksLost": client.AllTasksLost,
}

func readLiveAction(t *clientsTrace, f *fields) liveAction {
	a := liveAction{at: f.instant("atMs", 0), op: f.text("op"), tree: maps.Clone(f.in), count: 1}
	a.tree["type"] = "action"
	if ofMembers[a.op] != nil {
		if a.member = f.text("member"); !t.has(a.member) {
			f.wanted("member", "a member of the trace")
		}
	} else if ofAll[a.op] == nil {
		f.r.fault(f.at("op"), "unknown operation %q", a.op)
	}
	if read := actionFields[a.op]; read != nil {
		read(t, f, &a)
	}
	f.done()
	return a
}

// actionFields read what an operation is given.
var actionFields = map[string]func(*clientsTrace, *fields, *liveAction){
	"loseRequest":   readCount,
	"loseResponse":  readCount,
	"delayRequest":  func(_ *clientsTrace, f *fields, a *liveAction) { readCount(nil, f, a); a.span = f.span("ms", 0) },
	"delayResponse": func(_ *clientsTrace, f *fields, a *liveAction) { readCount(nil, f, a); a.span = f.span("ms", 0) },
	"duplicate":     func(_ *clientsTrace, f *fields, a *liveAction) { readCount(nil, f, a); a.span = f.span("delayMs", 1) },
	"latency":       func(_ *clientsTrace, f *fields, a *liveAction) { a.span = f.span("ms", 0) },
	"partition":     func(_ *clientsTrace, f *fields, a *liveAction) { a.span = f.span("durMs", 0) },
	"pausePoll":     func(_ *clientsTrace, f *fields, a *liveAction) { a.span = f.span("durMs", 0) },
	"brokerError": func(_ *clientsTrace, f *fields, a *liveAction) {
		a.span, a.code, a.findCode = f.span("durMs", 0), f.code("code"), f.code("findCode")
	},
	"close": func(_ *clientsTrace, f *fields, a *liveAction) {
		a.option = map[string]client.LeaveOption{"LEAVE_GROUP": client.LeaveGroup, "REMAIN_IN_GROUP": client.RemainInGroup}[f.choice("option", "DEFAULT", "LEAVE_GROUP", "REMAIN_IN_GROUP")]
	},
	"subscribe": func(_ *clientsTrace, f *fields, a *liveAction) { a.subscription = f.subscription() },
	"callbackMs": func(_ *clientsTrace, f *fields, a *liveAction) {
		a.times = map[client.CallbackKind]protocol.Duration{}
		for name, what := range map[string]client.CallbackKind{
			"revokeMs": client.PartitionsRevoked, "assignMs": client.PartitionsAssigned, "lostMs": client.PartitionsLost,
		} {
			if f.has(name) {
				a.times[what] = f.span(name, 0)
			}
		}
	},
	"failCallback": func(_ *clientsTrace, f *fields, a *liveAction) {
		readCount(nil, f, a)
		a.what = callbacksByName[f.choice("what", slices.Sorted(maps.Keys(callbacksByName))...)]
	},
	"topics": func(t *clientsTrace, f *fields, a *liveAction) {
		a.topics = t.readTopics(f.objects("topics"))
		a.span = f.span("metadataDelayMs", 0)
	},
	"groupConfig": func(_ *clientsTrace, f *fields, a *liveAction) { a.groupConfig = f.textMap("groupConfig") },
	"target":      func(t *clientsTrace, f *fields, a *liveAction) { a.target = readScript(f, t.streams) },
	"offsets":     func(_ *clientsTrace, f *fields, a *liveAction) { a.progress = readProgress(f) },
}

func readCount(_ *clientsTrace, f *fields, a *liveAction) {
	a.count = int(f.int32("count", 1))
	if a.count < 1 {
		f.wanted("count", "1 or more")
	}
}

// code is an error code by Kafka's name; None when it is absent.
func (f *fields) code(name string) protocol.ErrorCode {
	if !f.has(name) {
		return protocol.None
	}
	code, known := protocol.ParseErrorCode(f.text(name))
	if !known {
		f.wanted(name, fmt.Sprintf("one of %q", protocol.ErrorNames()))
	}
	return code
}

// readScript reads what the scripted assignor is told.
func readScript(f *fields, streams bool) map[string]protocol.Tasks {
	out := map[string]protocol.Tasks{}
	of := f.object("assignment")
	if of == nil {
		f.wanted("assignment", "members and what they get")
		return out
	}
	for _, member := range of.names() {
		if !streams {
			out[member] = protocol.Tasks{Active: of.assignment(member)}
			continue
		}
		tasks := of.object(member)
		out[member] = protocol.Tasks{Active: tasks.assignment("active"), Standby: tasks.assignment("standby")}
		tasks.done()
	}
	return out
}
