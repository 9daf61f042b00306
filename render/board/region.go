package board

import (
	"strconv"
	"strings"

	"groupscope/core/coordinator"
	"groupscope/core/protocol"
	"groupscope/core/record"
	"groupscope/core/sim"
	"groupscope/render/scene"
)

type regionKind uint8

const (
	groupRegion regionKind = iota
	memberRegion
	chipRegion
	messageRegion
)

// column is one of the places where a partition may have a chip.
type column uint8

const (
	ownColumn column = iota
	currentColumn
	targetColumn
	laneColumn
)

var columnNames = [...]string{"own", "current", "target", "nobody"}

// regionKey is all that a region's texts depend on.
type regionKey struct {
	kind     regionKind
	column   column
	look     look
	epoch    int32
	p        protocol.Partition
	name     string
	client   *sim.ClientState
	member   *coordinator.Member
	event    *sim.Event
	task     bool // p is a task, in this role
	role     role
	next     look // what the task is on its way to in another role
	restores bool // its state has not caught up
	answer   bool // the message is the event's answer
	group    *coordinator.Group
}

type regionText struct{ id, title string }

// region makes a box answer to a pointer.
func (d *drawing) region(k regionKey, x, y, w, h float32) {
	if k.kind == groupRegion {
		k.group = d.f.State.Group
	}
	t, ok := d.w.regions[k]
	if !ok {
		t = d.describeRegion(&k)
		d.w.regions[k] = t
	}
	d.s.Regions = append(d.s.Regions, scene.Region{ID: t.id, Title: t.title, X: x, Y: y, W: w, H: h})
}

// chipRegion makes a chip answer, and marks it when it is selected.
func (d *drawing) chipRegion(sl *slot, r *row, c column, is chip) {
	if is.look == empty {
		return
	}
	x, y := is.x, is.y
	k := regionKey{
		kind: chipRegion, column: c, look: is.look, epoch: is.epoch, p: sl.p,
		task: d.streams, role: is.role, next: is.next, restores: is.restores,
	}
	if r != nil {
		k.name = r.name
	}
	d.region(k, x, y, d.l.chipW, d.l.chipH)
	if d.v.Selected == "" {
		return
	}
	if d.selects(d.s.Regions[len(d.s.Regions)-1].ID) {
		d.brackets(d.base(), x, y, d.l.chipW, d.l.chipH)
	}
}

// selects: the view's selection is a chip's region or its partition.
func (d *drawing) selects(id string) bool {
	rest, ok := strings.CutPrefix(id, d.v.Selected)
	return ok && (rest == "" || rest[0] == '/') && strings.HasPrefix(id, "partition/")
}

func (d *drawing) selectedMember(name string) bool {
	rest, ok := strings.CutPrefix(d.v.Selected, "member/")
	return ok && rest == name
}

func (d *drawing) describeRegion(k *regionKey) regionText {
	switch k.kind {
	case groupRegion:
		return regionText{"group", d.groupTitle(k.group)}
	case memberRegion:
		return regionText{"member/" + k.name, memberTitle(k)}
	case chipRegion:
		id := "partition/" + k.p.String() + "/" + columnNames[k.column]
		if k.name != "" {
			id += "/" + k.name
		}
		return regionText{id, chipTitle(k)}
	}
	// A request is named by the event that sent it, an answer by the one that
	// handled it.
	seq := k.event.Seq
	if _, handled := k.event.What.(sim.Handled); handled && !k.answer {
		seq = k.event.Cause
	}
	return regionText{"message/" + strconv.FormatUint(seq, 10), messageTitle(k.event, k.answer)}
}

func (d *drawing) groupTitle(g *coordinator.Group) string {
	if g == nil {
		return "Group " + d.f.State.GroupID + ": it does not exist yet"
	}
	if g.Classic != nil {
		return "Group " + g.ID + ": a classic group, " + g.Classic.State + ", generation " + itoa(g.Classic.Generation)
	}
	return "Group " + g.ID + ": " + g.State.String() + ", group epoch " + itoa(g.GroupEpoch) + ", assignment epoch " + itoa(g.AssignmentEpoch)
}

func memberTitle(k *regionKey) string {
	text := k.name + ": "
	switch m := k.member; {
	case m == nil && k.client != nil && k.client.State == "ABSENT":
		return text + "not in the group yet"
	case m == nil:
		text += "not in the group"
	case m.Classic && m.MemberEpoch == 0: // its generation is the group's
		text += "in a classic group"
	default:
		text += "member epoch " + itoa(m.MemberEpoch) + ", " + stateWord(m.State) + ", holds " + heldText(m)
	}
	if k.client != nil {
		text += "; its client is " + clientSentence(k.client, nil)
	}
	return text
}

func heldText(m *coordinator.Member) string {
	n, name := len(m.Assigned)+len(m.PendingRevocation), nounOf(m.Streams != nil)
	if n == 0 {
		return "nothing"
	}
	if n > 6 {
		return name.count(n)
	}
	var parts []string
	add := func(hs []record.Held, note string) {
		for _, h := range hs {
			parts = append(parts, name.name(h.Partition)+note)
		}
	}
	add(m.Assigned, "")
	add(m.PendingRevocation, " (to give up)")
	return strings.Join(parts, ", ")
}

func chipTitle(k *regionKey) string {
	if k.task {
		return taskTitle(k)
	}
	p := k.p.String()
	if k.column == ownColumn {
		switch k.look {
		case pending:
			return p + ": " + k.name + " is giving it up"
		case free:
			return p + ": given to " + k.name + ", not taken up yet"
		case fenced:
			return p + ": lost by " + k.name + ", which was fenced"
		}
		return p + ": " + k.name + " reads it, at epoch " + itoa(k.epoch)
	}
	switch k.look {
	case pending:
		return p + ": " + k.name + " holds it and is asked to give it up"
	case waiting:
		return p + ": " + k.name + " waits for its release"
	case free:
		return p + ": released, " + k.name + " may take it with its next heartbeat"
	case target:
		return p + ": the target of epoch " + itoa(k.epoch) + " gives it to " + k.name
	case nobody:
		return p + ": nobody owns it"
	case fresh:
		return p + ": it has had no owner yet"
	}
	return p + ": " + k.name + " owns it, at member epoch " + itoa(k.epoch)
}

func messageTitle(e *sim.Event, answer bool) string {
	t := wordsOf(e)
	switch what := e.What.(type) {
	case sim.Sent:
		text := what.Member + " sends, at epoch " + itoa(what.Request.MemberEpoch) + ": " + t.request
		if what.Lost {
			text += "; it is lost"
		}
		return text
	case sim.Handled:
		if !answer {
			return what.Member + " sends, at epoch " + itoa(what.Request.MemberEpoch) + ": " + t.request
		}
		text := "The coordinator answers " + what.Member
		if t.failure != "" {
			text += ": " + t.failure
		} else {
			text += " with epoch " + itoa(what.Response.MemberEpoch) + ": " + t.response
		}
		if what.ResponseLost {
			text += "; it is lost"
		}
		return text
	}
	return ""
}

func itoa(n int32) string { return strconv.Itoa(int(n)) }
