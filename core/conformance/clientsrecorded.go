package conformance

import (
	"fmt"

	"groupscope/core/protocol"
)

// recordedAnswers answers each request with what the trace says was answered,
// so that the clients are judged alone.
type recordedAnswers struct {
	byMember map[string][]*answer // nil: no answer is known
	created  []topicChange        // topics that the coordinator asked for
}

// answers of the trace: a response answers the member's earliest request
// without one, of those that did not get lost unless it is a failure.
func newRecordedAnswers(t *ClientRun) (*recordedAnswers, error) {
	type pending struct{ open, lost bool }
	out := &recordedAnswers{byMember: map[string][]*answer{}}
	requests := map[string][]pending{}
	for i := range t.Events {
		e := &t.Events[i]
		list := requests[e.Member]
		r := &reader{}
		f := r.object(fmt.Sprintf("line %d, event %d", e.Line, i+1), e.Tree)
		switch e.Kind {
		case "action":
			if f.flag("auto") {
				out.created = append(out.created, topicChange{e.At, t.trace.readTopics(f.objects("topics"))})
			}
		case "request":
			requests[e.Member] = append(list, pending{true, f.has("lost")})
			out.byMember[e.Member] = append(out.byMember[e.Member], t.readAnswer(f.object("answer")))
		case "response":
			for n := range list {
				if list[n].open && (f.has("failure") || !list[n].lost) {
					list[n].open = false
					if !f.has("failure") {
						out.byMember[e.Member][n] = t.readAnswer(f)
					}
					break
				}
			}
		}
		if r.err != nil {
			return nil, r.err
		}
	}
	return out, nil
}

// readAnswer reads an error or a response; nil is none.
func (t *ClientRun) readAnswer(f *fields) *answer {
	if f == nil {
		return nil
	}
	if f.has("error") {
		return failed(f.object("error").code("code"), t.Streams)
	}
	response := f.object("response")
	switch {
	case response == nil:
		f.wanted("response", "a response, or an error or a failure in its place")
		return nil
	case t.Streams:
		return &answer{streams: readStreamsResponse(response), recorded: response.in}
	}
	return &answer{consumer: readConsumerResponse(response), recorded: response.in}
}

func readConsumerResponse(f *fields) protocol.ConsumerGroupHeartbeatResponse {
	return protocol.ConsumerGroupHeartbeatResponse{
		MemberEpoch: f.int32("memberEpoch", 0), HeartbeatIntervalMs: f.int32("heartbeatIntervalMs", 0), Assignment: f.assignment("assignment"),
	}
}

// String implements answers.
func (a *recordedAnswers) String() string { return ", the answers being the trace's" }

func (a *recordedAnswers) answer(_ *liveRun, c *liveClient, l *letter) *answer {
	if list := a.byMember[c.name()]; l.number < len(list) {
		return list[l.number]
	}
	return nil
}

// expire shows topics that the coordinator asked for.
func (a *recordedAnswers) expire(r *liveRun, until protocol.Instant) {
	for len(a.created) > 0 && a.created[0].from <= until {
		r.changes = append(r.changes, a.created[0])
		a.created = a.created[1:]
	}
}

// What is done to the coordinator does nothing to a record of it.

func (*recordedAnswers) tellGroup(*liveRun)                        {}
func (*recordedAnswers) setTopics(*liveRun, *RunAction)            {}
func (*recordedAnswers) setGroupConfig(*liveRun, *RunAction) error { return nil }
func (*recordedAnswers) setTarget(*liveRun, *RunAction)            {}
func (*recordedAnswers) deleteGroup(*liveRun, *RunAction)          {}
