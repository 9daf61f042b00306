package board

import (
	"slices"
	"strings"

	"groupscope/core/protocol"
	"groupscope/core/record"
	"groupscope/render/scene"
)

// endpoint is one that can be asked, and what for: tasks that its threads have
// as active ones, and copies of others.
type endpoint struct {
	name         string
	active, copy []protocol.Partition
}

// endpointList is the list that answers have, by the books.
func (t *plan) endpointList() (out []endpoint) {
	for _, m := range t.f.State.Group.Members {
		if m.Streams == nil || m.Streams.UserEndpoint == nil {
			continue
		}
		name := m.Streams.UserEndpoint.String()
		i := slices.IndexFunc(out, func(e endpoint) bool { return e.name == name })
		if i < 0 {
			i, out = len(out), append(out, endpoint{name: name})
		}
		e, s := &out[i], m.Streams
		e.active = append(e.active, record.Partitions(m.Assigned)...)
		for _, list := range [...]protocol.Assignment{s.Standby, s.Warmup} {
			e.copy = append(e.copy, list.Partitions()...)
		}
	}
	for i := range out {
		slices.SortFunc(out[i].active, protocol.Partition.Compare)
		slices.SortFunc(out[i].copy, protocol.Partition.Compare)
	}
	slices.SortFunc(out, func(a, b endpoint) int { return strings.Compare(a.name, b.name) })
	return out
}

// endpoints says at which endpoint which tasks can be asked.
func (t *plan) endpoints(p pen, left, right, y float32) float32 {
	list := t.endpointList()
	if !t.listed || len(list) == 0 {
		return y
	}
	p.across(left, right, y+4, 1, scene.Hair)
	y += 30
	p.text(left, y, "Endpoints, epoch "+itoa(t.streams.EndpointInformationEpoch), 16, scene.Medium, scene.Ink)
	for _, e := range list {
		y += 24
		name := t.w.cut(e.name, 14, scene.Medium, (right-left)*0.4, true)
		p.text(left, y, name, 14, scene.Medium, scene.Ink)
		x := left + t.w.width(name, 14, scene.Medium) + 14
		p.text(x, y, t.firstFit(right-x, scene.Regular, e.tasks(true), e.tasks(false)), 14, scene.Regular, scene.Ink2)
	}
	return y + 14
}

// tasks says what an endpoint can be asked for, by name or counted.
func (e *endpoint) tasks(names bool) string {
	say := func(list []protocol.Partition) string {
		if !names {
			return aTask.count(len(list))
		}
		var out []string
		for _, task := range list {
			out = append(out, protocol.TaskName(task))
		}
		return strings.Join(out, ", ")
	}
	var parts []string
	if len(e.active) > 0 {
		parts = append(parts, say(e.active))
	}
	if len(e.copy) > 0 {
		parts = append(parts, "copies of "+say(e.copy))
	}
	if len(parts) == 0 {
		return "nothing to ask for"
	}
	return strings.Join(parts, "; ")
}
