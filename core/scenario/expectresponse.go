package scenario

import (
	"slices"
	"strings"
)

var responseKeys = []string{"member", "epoch", "assignment", "error"}

func (x *expecting) response(n *node) {
	if absent(n) {
		x.add("response", n, absentWord, (*observed).answer)
		return
	}
	what, keys := "response is {epoch: 1, assignment: {foo: [0]}}, or absent", responseKeys
	if x.world.streams {
		what, keys = "response is {epoch: 1, active: {0: [0]}}, or absent", streamsResponseKeys
	}
	if !x.mapping(n, what, keys) {
		return
	}
	for _, e := range n.entries {
		switch v, path := e.value, "response."+e.key.text; e.key.text {
		case "member":
			if absent(v) {
				x.add(path, v, absentWord, (*observed).answered)
			} else if name, ok := x.numberedMember(v); ok {
				x.add(path, v, name, (*observed).answered)
			}
		case "epoch":
			x.epoch(path, v, (*observed).answerEpoch)
		case "error":
			x.errorName(path, v)
		case "assignment":
			if absent(v) {
				x.add(path, v, absentWord, (*observed).answerAssignment)
				continue
			}
			x.set(path, v, (*observed).answerSet)
		default:
			x.streamsResponse(path, e)
		}
	}
}

func (x *expecting) errorName(path string, n *node) {
	if code, ok := x.errorCode(n); ok {
		x.add(path, n, code.String(), (*observed).answerError)
	}
}

func (x *expecting) records(n *node) {
	if n.kind != list {
		x.wanted(n, "records are a list in the order written, [5A, 3, 7A, 6, 8A]")
		return
	}
	var want []string
	before := len(x.diagnostics)
	for _, item := range n.items {
		want = append(want, x.record(item))
	}
	if len(x.diagnostics) == before {
		x.add("records", n, "["+strings.Join(want, ", ")+"]", (*observed).written)
	}
}

// record checks the short name of a record: T for a tombstone, the record's
// number, and the member it is about.
func (x *expecting) record(n *node) string {
	what := "a record is 3, 6, 5A, 7A or 8A, 16 and a regex, or 1 and a partition, with T in front when it deletes"
	ofMember, ofGroup := []string{"5", "7", "8"}, []string{"2", "3", "4", "6"}
	if x.world.streams {
		what = "a record is 17, 20, 23, 19A, 21A or 22A, with T in front when it deletes"
		streamsMember, streamsGroup := []string{"19", "21", "22"}, []string{"17", "20", "23"}
		if x.world.other {
			what += "; one of the group that had the id before is 3, 6, 5A, 7A or 8A"
		} else {
			ofMember, ofGroup = nil, nil
		}
		ofMember, ofGroup = append(ofMember, streamsMember...), append(ofGroup, streamsGroup...)
	}
	s, ok := x.text(n, what)
	if !ok {
		return ""
	}
	bare := strings.TrimPrefix(s, "T")
	member := strings.TrimLeft(bare, "0123456789")
	number := strings.TrimSuffix(bare, member)
	switch {
	case slices.Contains(ofMember, number):
		if member == "" {
			x.fault(n, "record "+number+" is about a member: write "+number+"A", "")
			return s
		}
		if base, first := strings.CutSuffix(member, "~1"); first {
			x.fault(n, "records carry member ids, and that of "+member+" is "+base, "Write "+strings.TrimSuffix(s, "~1"))
			return s
		}
		x.numberedMember(&node{kind: text, at: n.at, text: member})
	case strings.HasPrefix(bare, "16") && len(bare) > 2 && !x.world.streams:
	case strings.HasPrefix(bare, "1") && member != "" && number == "1":
		x.partition(&node{kind: text, at: n.at, text: bare[1:]})
	case slices.Contains(ofGroup, number):
		if member != "" {
			x.fault(n, "record "+number+" is about the group: write "+number, "")
		}
	default:
		x.wanted(n, what)
	}
	return s
}
