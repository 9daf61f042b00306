package playback

import (
	"fmt"
	"strconv"

	"groupscope/core/sim"
)

func (p *Player) inspectEvent(kind, number string) (Inspection, error) {
	seq, err := strconv.ParseUint(number, 10, 64)
	e, ok := p.branch.track.event(seq)
	if err != nil || !ok {
		return Inspection{}, refuse("There is no event %q on this branch, or it was an idle heartbeat, which are only counted.", number)
	}
	start := p.frame.State.Start
	out := Inspection{ID: kind + "/" + number, Title: "Event " + number, Kind: kind, Rows: []Row{text("At", Seconds(e.At.Sub(start)))}}
	out.Sentence, _ = causeOf(e, nil)
	switch what := e.What.(type) {
	case sim.Sent:
		out.Title = own(what.Member) + " request"
		out.Request, out.StreamsRequest = &what.Request, what.Streams
	case sim.Handled:
		out.Title = "Answer to " + what.Member
		out.Sentence = fmt.Sprintf("%s is answered %s.", what.Member, answer(what.Response, what.Answer()))
		out.Request, out.Response, out.Records = &what.Request, &what.Response, what.Records
		out.StreamsRequest, out.StreamsResponse = what.Asked(), what.Answer()
		for _, d := range what.Decisions {
			out.Rows = append(out.Rows, text(d.Rule, d.Text))
		}
	case sim.Received:
		out.Title = "Answer to " + what.Member
		if what.Failure == "" {
			out.Response, out.StreamsResponse = &what.Response, what.Streams
		}
	case sim.Operated:
		out.Title, out.Records = capitalised(what.Operation.String()), what.Records
		for _, d := range what.Decisions {
			out.Rows = append(out.Rows, text(d.Rule, d.Text))
		}
		out.Rows = append(out.Rows, descriptionRows(what)...)
	case sim.Expired:
		out.Title = own(what.Name) + " " + what.Timer.String() + " timer"
		out.Records = what.Records
	}
	for _, m := range p.frame.State.Flying {
		if m.Event == e.Seq {
			out.Rows = append(out.Rows, text("On its way since", Seconds(m.SentAt.Sub(start))))
			if m.Lost {
				out.Rows = append(out.Rows, text("Arrives", "never, it is lost"))
			} else {
				out.Rows = append(out.Rows, text("Arrives", Seconds(m.Arrives.Sub(start))))
			}
		}
	}
	return out, nil
}
