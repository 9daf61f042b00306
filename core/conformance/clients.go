package conformance

import (
	"fmt"
	"slices"
)

// runClients runs a trace of clients (kind clients) twice: with the answers of
// the trace, which judges the clients alone, and with our own coordinator,
// which judges everything that the trace tells. Where both differ from it, the
// one that did so first is reported.
func runClients(doc *document, opts Options, report *Report) {
	t, err := readClientRun(doc)
	if err != nil {
		report.Fault = err
		return
	}
	report.Of = len(t.Events)
	recorded, err := newRecordedAnswers(t)
	if err != nil {
		report.Fault = err
		return
	}
	own, err := newOwnAnswers(t, opts)
	if err != nil {
		report.Fault = err
		return
	}
	judge(t, recorded, ofClients, report)
	var whole Report
	judge(t, own, everything, &whole)
	report.Targets = own.targets.count
	if report.Fault == nil && (whole.Fault != nil || len(report.Differences) == 0 || whole.Steps < report.Steps) {
		report.Steps, report.Differences, report.Fault = whole.Steps, whole.Differences, whole.Fault
	}
}

func everything(object) bool { return true }

// ofClients are the events that tell of clients; the others tell of the
// coordinator.
func ofClients(e object) bool {
	switch e["type"] {
	case "group", "timer", "deliver":
		return false
	}
	return e["auto"] == nil // topics that the coordinator asked for
}

// judge compares what happens with the trace, one event after the other, up
// to the first that differs.
func judge(t *ClientRun, a answers, of func(object) bool, report *Report) {
	got, fault := play(t, a)
	if report.Fault = fault; fault != nil {
		return
	}
	got = slices.DeleteFunc(got, func(e object) bool { return !of(e) })
	for i := range t.Events {
		e := &t.Events[i]
		report.Steps = i
		if !of(e.Tree) {
			continue
		}
		c := comparison{}
		switch {
		case len(got) == 0:
			c.differ("event", e.Tree, absent{})
		case got[0]["type"] != e.Tree["type"] || got[0]["member"] != e.Tree["member"]:
			c.differ("event", e.Tree, got[0])
		default:
			c.compare("", e.Tree, got[0])
			got = got[1:]
		}
		if len(c.differences) > 0 {
			report.Differences = c.atEvent(i+1, e.Line, fmt.Sprintf("%s at %d ms%s", e.what(), e.At-RunStart, a))
			return
		}
	}
	report.Steps = len(t.Events)
	if len(got) > 0 {
		c := comparison{}
		c.differ("event", absent{}, got[0])
		report.Differences = c.atEvent(len(t.Events)+1, 0, fmt.Sprint("after the end", a))
	}
}

// atEvent says where the differences are.
func (c *comparison) atEvent(number, line int, op string) []Difference {
	for i := range c.differences {
		c.differences[i].Line, c.differences[i].Step, c.differences[i].Op = line, number, op
	}
	return sorted(c.differences)
}
