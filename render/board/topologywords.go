package board

import (
	"slices"
	"strings"

	"groupscope/core/protocol"
	"groupscope/render/scene"
)

// foot says below the picture what is wrong with the topics, and which members
// are at which topology; it returns the picture's height.
func (t *plan) foot(p pen) float32 {
	left, right := t.edges()
	y := t.bottom + min(24, t.form.drop)/2 + 2
	y = t.trouble(p, left, right, y)
	if epochs := t.epochs(); !t.form.brief || len(epochs) > 1 {
		y = t.versions(p, epochs, left, right, y)
	}
	return t.endpoints(p, left, right, y) + t.form.foot/8
}

// trouble says what is wrong with the topics, as the group's status does.
func (t *plan) trouble(p pen, left, right, y float32) float32 {
	s := t.streams.Status
	if s == nil {
		return y
	}
	p.across(left, right, y, 1, scene.Hair)
	end := t.tag(p, left, y+29, s.Code, right)
	text := s.Detail
	if text == "" {
		text = strings.Join(slices.Concat(t.missing, t.created), ", ")
	}
	if t.w.width(text, 14, scene.Regular) <= right-end {
		p.text(end, y+29, text, 14, scene.Regular, scene.Ink)
		return y + 44
	}
	y += 56
	for _, line := range t.w.wrap(text, 14, right-left) {
		p.text(left, y, line, 14, scene.Regular, scene.Ink)
		y += 20
	}
	return y - 6
}

// epochs are the topology epochs of the members, the newest first.
func (t *plan) epochs() []int32 {
	var out []int32
	for _, m := range t.f.State.Group.Members {
		if m.Streams != nil && !slices.Contains(out, m.Streams.TopologyEpoch) {
			out = append(out, m.Streams.TopologyEpoch)
		}
	}
	slices.SortFunc(out, func(a, b int32) int { return int(b - a) })
	return out
}

// versions says which members are at which topology.
func (t *plan) versions(p pen, epochs []int32, left, right, y float32) float32 {
	p.across(left, right, y, 1, scene.Hair)
	y += t.form.foot/2 + 6
	x := left
	if head := "Members by topology"; t.v.Width >= embedFrom || !t.form.brief {
		p.text(left, y, head, 16, scene.Medium, scene.Ink)
		x += t.w.width(head, 16, scene.Medium) + 28
	}
	if t.v.Width < embedFrom && !t.form.brief {
		x, y = left, y+26
	}
	for _, e := range epochs {
		names := t.namesAt(e)
		number := "topology " + itoa(e) + ":"
		w := t.w.width(number, 16, scene.Regular) + 5
		if x > left && x+w+t.w.width(names, 16, scene.Medium) > right {
			x, y = left, y+28
		}
		p.text(x, y, number, 16, scene.Regular, scene.Ink2)
		names = t.w.cut(names, 16, scene.Medium, right-x-w, false)
		p.text(x+w, y, names, 16, scene.Medium, scene.Ink)
		x += w + t.w.width(names, 16, scene.Medium) + 16
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
	return y + t.form.foot/4
}

// namesAt are the members at a topology epoch, or how many they are.
func (t *plan) namesAt(epoch int32) string {
	var names []string
	for _, m := range t.f.State.Group.Members {
		if m.Streams != nil && m.Streams.TopologyEpoch == epoch {
			names = append(names, t.f.State.NameOf(m.ID))
		}
	}
	if len(names) > 6 {
		return itoa(int32(len(names))) + " members"
	}
	return strings.Join(names, ", ")
}

// wrap breaks a text into lines at its spaces.
func (w *words) wrap(text string, size, width float32) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		switch longer := line + " " + word; {
		case line == "":
			line = word
		case w.width(longer, size, scene.Regular) <= width:
			line = longer
		default:
			lines, line = append(lines, line), word
		}
	}
	return append(lines, w.cut(line, size, scene.Regular, width, false))
}
