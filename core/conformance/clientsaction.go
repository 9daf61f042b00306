package conformance

import (
	"fmt"
	"maps"
	"slices"

	"groupscope/core/client"
	"groupscope/core/protocol"
)

// RunAction is something that is done to the clients, the network or the
// broker. What of it means anything hangs on the operation.
type RunAction struct {
	At     protocol.Instant
	Op     string
	Member string         // "" for none
	Tree   map[string]any // as its event has it

	Count          int
	Span           protocol.Duration // durMs, ms, delayMs, metadataDelayMs
	Code, FindCode protocol.ErrorCode
	Option         client.LeaveOption
	Subscription   client.Subscription
	Times          map[client.CallbackKind]protocol.Duration
	What           client.CallbackKind
	Topics         []protocol.Topic // all that there are then
	GroupConfig    map[string]string
	Target         map[string]protocol.Tasks // of the scripted assignor
	Progress       []client.TaskProgress
}

// ofMembers are the actions that are about a member, ofAll those that are not.
var ofMembers = map[string]func(*liveRun, *liveClient, *RunAction){
	"loseRequest":   func(_ *liveRun, c *liveClient, a *RunAction) { c.loseRequests += a.Count },
	"loseResponse":  func(_ *liveRun, c *liveClient, a *RunAction) { c.loseResponses += a.Count },
	"delayRequest":  func(_ *liveRun, c *liveClient, a *RunAction) { c.up.extra, c.up.delayed = a.Span, a.Count },
	"delayResponse": func(_ *liveRun, c *liveClient, a *RunAction) { c.down.extra, c.down.delayed = a.Span, a.Count },
	"duplicate":     func(_ *liveRun, c *liveClient, a *RunAction) { c.duplicates, c.duplicateAfter = a.Count, a.Span },
	"latency":       func(_ *liveRun, c *liveClient, a *RunAction) { c.latency = a.Span },
	"disconnect":    func(r *liveRun, c *liveClient, _ *RunAction) { r.fail(c, "disconnect") },
	"partition":     func(r *liveRun, c *liveClient, a *RunAction) { c.cutUntil = r.now.Add(a.Span) },
	"crash":         (*liveRun).crash,
	"close":         (*liveRun).close,
	"unsubscribe":   func(r *liveRun, c *liveClient, _ *RunAction) { r.did(c, c.Unsubscribe(r.now)) },
	"subscribe":     func(r *liveRun, c *liveClient, a *RunAction) { r.did(c, c.Subscribe(r.now, a.Subscription)) },
	"pausePoll":     (*liveRun).pausePoll,
	"callbackMs": func(_ *liveRun, c *liveClient, a *RunAction) {
		for what, takes := range a.Times {
			c.SetCallbackTime(what, takes)
		}
	},
	"failCallback":        func(_ *liveRun, c *liveClient, a *RunAction) { c.FailCallbacks(a.What, a.Count) },
	"offsets":             func(r *liveRun, c *liveClient, a *RunAction) { r.did(c, c.ReportOffsets(r.now, a.Progress)) },
	"shutdownApplication": func(r *liveRun, c *liveClient, _ *RunAction) { c.ShutDownApplication(r.now) },
}

var ofAll = map[string]func(*liveRun, *RunAction){
	"brokerError": func(r *liveRun, a *RunAction) { r.outage = outage{r.now.Add(a.Span), a.Code, a.FindCode} },
	"topics": func(r *liveRun, a *RunAction) {
		r.changes = append(r.changes, topicChange{r.now.Add(a.Span), a.Topics})
		r.answers.setTopics(r, a)
		r.answers.tellGroup(r)
	},
	"groupConfig": func(r *liveRun, a *RunAction) {
		if err := r.answers.setGroupConfig(r, a); err != nil && r.fault == nil {
			r.fault = fmt.Errorf("the group config of %d ms: %w", a.At-RunStart, err)
		}
	},
	"target": func(r *liveRun, a *RunAction) { r.answers.setTarget(r, a) },
	"deleteGroup": func(r *liveRun, a *RunAction) {
		r.answers.deleteGroup(r, a)
		r.answers.tellGroup(r)
	},
}

var callbacksByName = map[string]client.CallbackKind{
	"onPartitionsRevoked": client.PartitionsRevoked, "onPartitionsAssigned": client.PartitionsAssigned, "onPartitionsLost": client.PartitionsLost,
	"onTasksRevoked": client.TasksRevoked, "onTasksAssigned": client.TasksAssigned, "onAllTasksLost": client.AllTasksLost,
}

func readRunAction(t *ClientRun, f *fields) RunAction {
	a := RunAction{At: f.instant("atMs", 0), Op: f.text("op"), Tree: maps.Clone(f.in), Count: 1}
	a.Tree["type"] = "action"
	if ofMembers[a.Op] != nil {
		if a.Member = f.text("member"); !t.has(a.Member) {
			f.wanted("member", "a member of the trace")
		}
	} else if ofAll[a.Op] == nil {
		f.r.fault(f.at("op"), "unknown operation %q", a.Op)
	}
	if read := actionFields[a.Op]; read != nil {
		read(t, f, &a)
	}
	f.done()
	return a
}

// actionFields read what an operation is given.
var actionFields = map[string]func(*ClientRun, *fields, *RunAction){
	"loseRequest":   readCount,
	"loseResponse":  readCount,
	"delayRequest":  func(_ *ClientRun, f *fields, a *RunAction) { readCount(nil, f, a); a.Span = f.span("ms", 0) },
	"delayResponse": func(_ *ClientRun, f *fields, a *RunAction) { readCount(nil, f, a); a.Span = f.span("ms", 0) },
	"duplicate":     func(_ *ClientRun, f *fields, a *RunAction) { readCount(nil, f, a); a.Span = f.span("delayMs", 1) },
	"latency":       func(_ *ClientRun, f *fields, a *RunAction) { a.Span = f.span("ms", 0) },
	"partition":     func(_ *ClientRun, f *fields, a *RunAction) { a.Span = f.span("durMs", 0) },
	"pausePoll":     func(_ *ClientRun, f *fields, a *RunAction) { a.Span = f.span("durMs", 0) },
	"brokerError": func(_ *ClientRun, f *fields, a *RunAction) {
		a.Span, a.Code, a.FindCode = f.span("durMs", 0), f.code("code"), f.code("findCode")
	},
	"close": func(_ *ClientRun, f *fields, a *RunAction) {
		a.Option = map[string]client.LeaveOption{"LEAVE_GROUP": client.LeaveGroup, "REMAIN_IN_GROUP": client.RemainInGroup}[f.choice("option", "DEFAULT", "LEAVE_GROUP", "REMAIN_IN_GROUP")]
	},
	"subscribe": func(_ *ClientRun, f *fields, a *RunAction) { a.Subscription = f.subscription() },
	"callbackMs": func(_ *ClientRun, f *fields, a *RunAction) {
		a.Times = map[client.CallbackKind]protocol.Duration{}
		for name, what := range map[string]client.CallbackKind{
			"revokeMs": client.PartitionsRevoked, "assignMs": client.PartitionsAssigned, "lostMs": client.PartitionsLost,
		} {
			if f.has(name) {
				a.Times[what] = f.span(name, 0)
			}
		}
	},
	"failCallback": func(_ *ClientRun, f *fields, a *RunAction) {
		readCount(nil, f, a)
		a.What = callbacksByName[f.choice("what", slices.Sorted(maps.Keys(callbacksByName))...)]
	},
	"topics": func(t *ClientRun, f *fields, a *RunAction) {
		a.Topics = t.trace.readTopics(f.objects("topics"))
		a.Span = f.span("metadataDelayMs", 0)
	},
	"groupConfig": func(_ *ClientRun, f *fields, a *RunAction) { a.GroupConfig = f.textMap("groupConfig") },
	"target":      func(t *ClientRun, f *fields, a *RunAction) { a.Target = readScript(f, t.Streams) },
	"offsets":     func(_ *ClientRun, f *fields, a *RunAction) { a.Progress = readProgress(f) },
}

func readCount(_ *ClientRun, f *fields, a *RunAction) {
	a.Count = int(f.int32("count", 1))
	if a.Count < 1 {
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
