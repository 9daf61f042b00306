package client_test

import "fmt"

// feed is what the real client of a trace was told: the answers of its
// requests and lookups, and when its callbacks returned.
type feed struct {
	requests []*traceEvent
	answers  []*traceEvent // by request; nil: none before the end of the trace
	finds    []*traceEvent
	ends     []*traceEvent
	metadata []*traceEvent
	ids      []uint32 // by request, the id that ours gave it
	failed   map[*traceEvent]bool
}

func newFeed(tr *trace, member string) feed {
	f := feed{failed: map[*traceEvent]bool{}}
	for i := range tr.Events {
		e := &tr.Events[i]
		if e.Member != member {
			continue
		}
		switch {
		case e.Type == "request":
			f.requests = append(f.requests, e)
			f.answers = append(f.answers, nil)
		case e.Type == "response":
			f.match(e)
		case e.Type == "find" && e.Phase == "response":
			f.finds = append(f.finds, e)
		case e.Type == "callback" && e.Phase == "end":
			f.ends = append(f.ends, e)
		case e.Type == "metadata":
			f.metadata = append(f.metadata, e)
		}
	}
	return f
}

// match finds the request that a response answers: the earliest unanswered
// one, of those that did not get lost unless it is a failure.
func (f *feed) match(response *traceEvent) {
	for i, r := range f.requests {
		if f.answers[i] == nil && (response.Failure != "" || r.Lost == "") {
			f.answers[i] = response
			return
		}
	}
}

// sent names the next request; it returns the recorded one and its answer.
func (f *feed) sent(id uint32) (request, answer *traceEvent, ok bool) {
	i := len(f.ids)
	if i >= len(f.requests) {
		return nil, nil, false
	}
	f.ids = append(f.ids, id)
	return f.requests[i], f.answers[i], true
}

// failures are the requests whose failure the trace has at this instant and
// that were not asked for before.
func (f *feed) failures(at int64) []uint32 {
	var out []uint32
	for i, id := range f.ids {
		if a := f.answers[i]; a != nil && a.Failure != "" && a.AtMs == at && !f.failed[a] {
			f.failed[a] = true
			out = append(out, id)
		}
	}
	return out
}

func (f *feed) found() (at int64, failed, ok bool) {
	if len(f.finds) == 0 {
		return 0, false, false
	}
	e := f.finds[0]
	f.finds = f.finds[1:]
	return e.AtMs, e.Error != nil, true
}

func (f *feed) returned() (at int64, failed, ok bool) {
	if len(f.ends) == 0 {
		return 0, false, false
	}
	e := f.ends[0]
	f.ends = f.ends[1:]
	return e.AtMs, e.Failed, true
}

// recorded is what the real client did, in the words of a replay.
func recorded(tr *trace, member string) []line {
	var out []line
	for i := range tr.Events {
		e := &tr.Events[i]
		if e.Member != member {
			continue
		}
		var text string
		switch {
		case e.Type == "request":
			text = "sends " + e.Request.text(tr.Protocol)
		case e.Type == "find" && e.Phase == "request":
			text = "find"
		case e.Type == "callback" && e.Phase == "end":
			text = e.What + " end" + failedMark(e.Failed)
		case e.Type == "callback":
			text = e.What + " start " + e.calledText(tr.Protocol)
		case e.Type == "client" && e.State == "CRASHED":
			continue // the harness's own word, not always said
		case e.Type == "client" && e.State == "CLOSED":
			text = e.State
		case e.Type == "client":
			text = fmt.Sprintf("%s %d %s", e.State, e.MemberEpoch, e.ownedText(tr.Protocol))
		case e.Type == "appError":
			text = "throws " + e.Code
		default:
			continue
		}
		out = append(out, line{e.AtMs, text})
	}
	return out
}
