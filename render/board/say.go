package board

import (
	"strconv"
	"strings"

	"groupscope/core/playback"
	"groupscope/core/protocol"
	"groupscope/core/sim"
)

// clientText is what stands under the own view: the client's state and what it
// is busy with, or that alone, "" if it is with nothing.
type clientText struct{ full, busy string }

func (w *words) clientWords(r *row) clientText {
	k := clientKey{r.client, r.wasClient}
	v, ok := w.clients[k]
	if !ok {
		_, parts := clientParts(r.client, r.wasClient)
		v = clientText{clientSentence(r.client, r.wasClient), strings.Join(parts, ", ")}
		w.clients[k] = v
	}
	return v
}

// clientWord is the client's state alone.
func clientWord(c *sim.ClientState) string {
	if c.PausedTill != 0 {
		return "does not poll"
	}
	switch c.State {
	case "ABSENT":
		return "not in the group yet"
	case "UNSUBSCRIBED":
		return "unsubscribed"
	case "JOINING":
		return "joining"
	case "RECONCILING":
		return "reconciling"
	case "ACKNOWLEDGING":
		return "acknowledging"
	case "STABLE":
		return "stable"
	case "PREPARE_LEAVING", "LEAVING":
		return "leaving"
	case "FENCED":
		return "fenced"
	case "STALE":
		return "stale"
	case "FATAL":
		return "fatal"
	case "CRASHED":
		return "crashed"
	case "CLOSED":
		return "closed"
	}
	return strings.ToLower(c.State)
}

func clientSentence(c, was *sim.ClientState) string {
	text, parts := clientParts(c, was)
	if len(parts) == 0 {
		return text
	}
	return text + ": " + strings.Join(parts, ", ")
}

// clientParts are the client's state and what it is busy with.
func clientParts(c, was *sim.ClientState) (text string, parts []string) {
	n := nounOf(c.Streams != nil)
	text = clientWord(c)
	if c.Revoking.Len() > 0 {
		parts = append(parts, "revokes "+n.some(c.Revoking))
	}
	if c.Adding.Len() > 0 {
		parts = append(parts, "takes "+n.some(c.Adding))
	}
	if s := c.Streams; s != nil {
		if s.AddingStandby.Len() > 0 {
			parts = append(parts, "takes "+n.some(s.AddingStandby)+" as standby")
		}
		if s.AddingWarmup.Len() > 0 {
			parts = append(parts, "takes "+n.some(s.AddingWarmup)+" as warm-up")
		}
		if restores := c.Restoring(); restores.Len() > 0 {
			parts = append(parts, "restores "+n.some(restores))
		}
	}
	switch {
	case c.State == "FENCED" && c.Owned.Len() > 0:
		parts = append(parts, "loses "+n.all(c.Owned), "joins again")
	case lostAll(c) && was != nil && was.Owned.Len() > 0 && c.Owned.Len() == 0:
		parts = append(parts, "loses "+n.all(was.Owned), "joins again")
		text = "fenced"
	}
	return text, parts
}

// all names what is everything that somebody had.
func (n noun) all(a protocol.Assignment) string {
	switch a.Len() {
	case 1:
		return n.some(a)
	case 2:
		return "both"
	}
	return "all " + strconv.Itoa(a.Len())
}

// some names one or two partitions, or counts them.
func (n noun) some(a protocol.Assignment) string {
	ps := a.Partitions()
	switch len(ps) {
	case 1:
		return n.name(ps[0])
	case 2:
		return n.name(ps[0]) + " and " + n.name(ps[1])
	}
	return n.count(len(ps))
}

// sentence is the picture in words.
func (d *drawing) sentence() string {
	k := stateKey{d.f.State, d.f.Stop.Label}
	text, ok := d.w.states[k]
	if !ok {
		text = describe(d.f)
		if len(d.w.states) > 1000 {
			clear(d.w.states)
		}
		d.w.states[k] = text
	}
	return text
}

func describe(f *playback.Frame) string {
	var b strings.Builder
	b.WriteString("Group board")
	if f.Stop.Label != "" {
		b.WriteString(" at step " + f.Stop.Label)
	}
	b.WriteString(": ")
	g := f.State.Group
	if g == nil {
		b.WriteString("group " + f.State.GroupID + " does not exist yet.")
		return b.String()
	}
	n := strconv.Itoa(len(g.Members)) + " members"
	if len(g.Members) == 1 {
		n = "1 member"
	}
	if g.Classic != nil {
		b.WriteString("group " + f.State.GroupID + " is a classic group, " + g.Classic.State + ", in generation " + strconv.Itoa(int(g.Classic.Generation)) + ", " + n + ".")
		if f.Stop.Say != "" {
			b.WriteString(" " + f.Stop.Say)
		}
		return b.String()
	}
	b.WriteString("group " + f.State.GroupID + " is " + g.State.String() + " at group epoch " + strconv.Itoa(int(g.GroupEpoch)) +
		", target of epoch " + strconv.Itoa(int(g.AssignmentEpoch)) + ", " + n)
	if free := len(f.State.Unowned); free == 1 {
		b.WriteString(", " + nounOf(f.State.Streams()).name(f.State.Unowned[0].Partition) + " has no owner")
	} else if free > 1 {
		b.WriteString(", " + nounOf(f.State.Streams()).count(free) + " have no owner")
	}
	b.WriteString(".")
	if len(f.State.Violations) > 0 {
		b.WriteString(" Broken: " + f.State.Violations[0].Text + ".")
	}
	if f.Stop.Say != "" {
		b.WriteString(" " + f.Stop.Say)
	}
	return b.String()
}
