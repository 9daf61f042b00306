package board

import (
	"slices"
	"strings"

	"groupscope/core/protocol"
	"groupscope/render/scene"
)

// trouble says what is wrong with the topics, as the group's status does.
func (t *plan) trouble(p pen, left, right, y float32) float32 {
	s := t.streams.Status
	if s == nil {
		return y
	}
	p.across(left, right, y, 1, scene.Hair)
	end := t.tag(p, left, y+31, s.Code, right)
	text := s.Detail
	if text == "" {
		text = strings.Join(slices.Concat(t.missing, t.created), ", ")
	}
	if t.w.width(text, 14, scene.Regular) > right-end {
		p.text(left, y+60, t.w.cut(text, 14, scene.Regular, right-left, false), 14, scene.Regular, scene.Ink)
		return y + 78
	}
	p.text(end+4, y+31, text, 14, scene.Regular, scene.Ink)
	return y + 52
}

// versions says which members are at which topology.
func (t *plan) versions(p pen, left, right, y float32) float32 {
	p.across(left, right, y, 1, scene.Hair)
	y += 32
	p.text(left, y, "Members by topology", 16, scene.Medium, scene.Ink)
	x := left + t.w.width("Members by topology", 16, scene.Medium) + 28
	if t.v.Width < mediumFrom {
		x, y = left, y+26
	}
	g := t.f.State.Group
	var epochs []int32
	for _, m := range g.Members {
		if m.Streams != nil && !slices.Contains(epochs, m.Streams.TopologyEpoch) {
			epochs = append(epochs, m.Streams.TopologyEpoch)
		}
	}
	slices.SortFunc(epochs, func(a, b int32) int { return int(b - a) })
	for _, e := range epochs {
		var names []string
		for _, m := range g.Members {
			if m.Streams != nil && m.Streams.TopologyEpoch == e {
				names = append(names, t.f.State.NameOf(m.ID))
			}
		}
		head, text := "topology "+itoa(e)+":", strings.Join(names, ", ")
		if len(names) > 6 {
			text = itoa(int32(len(names))) + " members"
		}
		w := t.w.width(head, 16, scene.Regular) + 5
		if x > left && x+w+t.w.width(text, 16, scene.Medium) > right {
			x, y = left, y+28
		}
		p.text(x, y, head, 16, scene.Regular, scene.Ink2)
		text = t.w.cut(text, 16, scene.Medium, right-x-w, false)
		p.text(x+w, y, text, 16, scene.Medium, scene.Ink)
		x += w + t.w.width(text, 16, scene.Medium) + 16
		if e < t.topology.Epoch {
			if x+150 > right {
				x, y = left, y+30
			}
			x = t.tag(p, x, y, protocol.StaleTopology, right)
		}
		x += 24
	}
	if len(epochs) == 0 {
		p.text(x, y, "no members", 16, scene.Regular, scene.Ink2)
	}
	return y + 20
}
