package conformance

import (
	"fmt"
	"maps"

	"groupscope/core/protocol"
)

// targetAt is a target of the trace's group, and when it came to be.
type targetAt struct {
	at     protocol.Instant
	target map[string]protocol.Tasks
}

// targetsOf lists the targets of a trace: what its group shows whenever the
// assignment epoch is new.
func targetsOf(t *ClientRun) (out []targetAt) {
	known := map[string]protocol.Tasks{}
	epoch := int64(0)
	for i := range t.Events {
		e := &t.Events[i]
		if e.Kind != "group" {
			continue
		}
		group, _ := e.Tree["group"].(object)
		if group["delta"] != true {
			known = map[string]protocol.Tasks{}
		}
		known = maps.Clone(known)
		maps.Copy(known, readSeen(&reader{}, group))
		removed, _ := group["removedMembers"].([]any)
		for _, id := range removed {
			name, _ := id.(string)
			delete(known, name)
		}
		if now, _ := group["assignmentEpoch"].(int64); now != epoch {
			epoch = now
			out = append(out, targetAt{e.At, known})
		}
	}
	return out
}

// offerTargets lays out what the trace's assignors answered at this instant.
func (a *ownAnswers) offerTargets(now protocol.Instant) {
	t := a.targets
	a.recorded = a.recorded[t.taken:]
	for len(a.recorded) > 0 && a.recorded[0].at < now {
		a.recorded = a.recorded[1:]
	}
	t.waiting, t.taken = nil, 0
	for i := 0; i < len(a.recorded) && a.recorded[i].at == now; i++ {
		t.waiting = append(t.waiting, a.recorded[i].target)
	}
	for i := range t.count.Different {
		if d := &t.count.Different[i]; d.Op == "" {
			d.Op = fmt.Sprintf("target up to %d ms", now-RunStart)
		}
	}
}
