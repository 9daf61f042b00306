package playback

import (
	"fmt"
	"strings"

	"groupscope/core/prose"
	"groupscope/core/protocol"
	"groupscope/core/sim"
)

// What the coordinator does beside handling heartbeats, in words.

// sender is who a heartbeat comes from.
func sender(member string, raw bool) string {
	if raw {
		return "Somebody, as " + member + ","
	}
	return member
}

// askedOf tells what was asked of the coordinator, or what it set out to do.
func askedOf(o sim.Operated) string {
	switch o.Operation {
	case sim.OffsetCommit:
		return fmt.Sprintf("%s commits offsets of %s with epoch %d.", o.Member, prose.And(committed(o)), o.Commit.GenerationIDOrMemberEpoch)
	case sim.OffsetFetch:
		return fmt.Sprintf("%s asks for its offsets with epoch %d.", o.Member, o.Fetch.MemberEpoch)
	case sim.GroupDeletion:
		return "An operator deletes the group."
	case sim.Expiration:
		return "The broker looks for what has expired."
	case sim.Description:
		return "A tool describes the group."
	case sim.RegexRefresh:
		return "The coordinator has resolved the regexes."
	}
	return sentence(configPhrase(o.Settings))
}

// committed are the partitions of a commit by their names, few of them.
func committed(o sim.Operated) []string {
	const few = 4
	var out []string
	for i, c := range o.Commit.Offsets {
		if i == few {
			return append(out, "others")
		}
		out = append(out, fmt.Sprintf("%s-%d", c.Topic, c.Partition))
	}
	if out == nil {
		out = []string{"nothing"}
	}
	return out
}

// operatedAnswer tells what a request was answered, "" for what is no request.
func operatedAnswer(o sim.Operated) string {
	switch o.Operation {
	case sim.OffsetCommit, sim.OffsetFetch:
		return fmt.Sprintf("%s is answered %s", o.Member, o.Error)
	case sim.GroupDeletion:
		return "the operator is answered " + o.Error.String()
	case sim.Description:
		if o.Error != protocol.None {
			return "the tool is answered " + o.Error.String()
		}
		return "the tool is told " + strings.Join(description(o), "; ")
	}
	return ""
}

// description is what a tool is told of each member, few of them.
func description(o sim.Operated) []string {
	const few = 4
	d := o.Description
	out := []string{fmt.Sprintf("%s at epoch %d, target %d", d.GroupState, d.GroupEpoch, d.AssignmentEpoch)}
	for i, m := range d.Members {
		if i == few {
			return append(out, "and so on")
		}
		out = append(out, fmt.Sprintf("%s at %d has %s", m.MemberID, m.MemberEpoch, Partitions(m.Assignment.Partitions())))
	}
	return out
}

func sayOperated(o sim.Operated) string {
	refused := o.Error != protocol.None
	effect := effectOf(o.Records)
	switch {
	case o.Operation == sim.OffsetCommit && refused:
		return fmt.Sprintf("%s commit with epoch %d is refused with %s.", own(o.Member), o.Commit.GenerationIDOrMemberEpoch, o.Error)
	case o.Operation == sim.OffsetFetch && refused:
		return fmt.Sprintf("%s is not told its offsets: %s.", o.Member, o.Error)
	case o.Operation == sim.OffsetFetch:
		return o.Member + " is told its offsets."
	case o.Operation == sim.GroupDeletion && refused:
		return fmt.Sprintf("The group cannot be deleted: %s.", o.Error)
	case o.Operation == sim.GroupDeletion:
		return "The group is deleted."
	case o.Operation == sim.Expiration && len(o.Records) == 0:
		return "The broker looks for what has expired and finds nothing."
	case o.Operation == sim.Expiration:
		return "The broker deletes what has expired."
	case o.Operation == sim.Description && refused:
		return fmt.Sprintf("The group cannot be described: %s.", o.Error)
	case o.Operation == sim.RegexRefresh && effect.epoch >= 0:
		return fmt.Sprintf("The regexes are resolved, and the group moves to epoch %d.", effect.epoch)
	case o.Operation == sim.RegexRefresh:
		return "The regexes are resolved; they match what they did before."
	case o.Operation == sim.Description:
		return capital(operatedAnswer(o)) + "."
	}
	return askedOf(o)
}

// descriptionRows are what a tool was told, a row a member.
func descriptionRows(o sim.Operated) []Row {
	if o.Description == nil || o.Error != protocol.None {
		return nil
	}
	d := o.Description
	rows := []Row{
		text("State", d.GroupState), badge("Group epoch", d.GroupEpoch), badge("Target epoch", d.AssignmentEpoch),
		text("Assignor", d.AssignorName),
	}
	for _, m := range d.Members {
		rows = append(rows, text("Member "+m.MemberID, fmt.Sprintf("epoch %d, has %s, target %s", m.MemberEpoch,
			wording{}.names(m.Assignment.Partitions()), wording{}.names(m.TargetAssignment.Partitions()))))
	}
	return rows
}

// capitalised is a title.
func capitalised(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
