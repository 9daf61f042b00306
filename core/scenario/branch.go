package scenario

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"groupscope/core/protocol"
	"groupscope/core/sim"
)

// editor collects changes to the text of a file and makes them at once.
type editor struct {
	sc    *Scenario
	text  string
	lines []string // as in the file
	start []int    // where each line begins in text
	root  *node
	edits []edit
}

// edit replaces what stands from one offset up to another.
type edit struct {
	from, to int
	by       string
}

func newEditor(sc *Scenario) *editor {
	e := &editor{sc: sc, text: strings.Join(sc.lines, "\n"), lines: sc.lines, root: sc.root}
	offset := 0
	for _, line := range sc.lines {
		e.start = append(e.start, offset)
		offset += len(line) + 1
	}
	if !strings.HasSuffix(e.text, "\n") {
		e.text += "\n"
	}
	e.start = append(e.start, len(e.text))
	return e
}

// result makes the changes from the end to the beginning, so that offsets of
// those still to be made stay right; what is put in front of what is replaced
// comes after that.
func (e *editor) result() string {
	slices.SortStableFunc(e.edits, func(a, b edit) int { return cmp.Or(cmp.Compare(b.from, a.from), cmp.Compare(b.to, a.to)) })
	out := e.text
	for _, d := range e.edits {
		out = out[:d.from] + d.by + out[d.to:]
	}
	return out
}

// offset is where a character stands in the text.
func (e *editor) offset(p position) int {
	at := e.start[p.line-1]
	for range p.column - 1 {
		if at < len(e.text) {
			_, size := utf8.DecodeRuneInString(e.text[at:])
			at += size
		}
	}
	return at
}

// between replaces characters; the last one counts in.
func (e *editor) between(first, last position, by string) {
	e.edits = append(e.edits, edit{e.offset(first), e.offset(position{last.line, last.column + 1}), by})
}

// wholeLines replaces lines, from and to being indices, to left out.
func (e *editor) wholeLines(from, to int, by string) {
	e.edits = append(e.edits, edit{e.start[from], e.start[to], by})
}

// steps cuts the script after its first keep steps and adds new ones.
func (e *editor) steps(keep int, done []Done) {
	steps := e.root.get("steps")
	keep = min(max(keep, 0), len(steps.items))
	switch {
	case !steps.flow:
		e.blockSteps(steps, keep, done)
	case e.root.flow || len(steps.items) > 0:
		e.flowSteps(steps, keep, done)
	case len(done) > 0: // "steps: []" becomes a list of lines
		e.between(position{steps.at.line, steps.at.column}, steps.end, "")
		after := steps.end.line
		e.wholeLines(after, after, e.stepLines("  ", done))
	}
}

// blockSteps edits a list with a dash on a line of its own for each step.
// Without any step left it becomes "steps: []".
func (e *editor) blockSteps(steps *node, keep int, done []Done) {
	end := e.blockEnd("steps")
	cut := end
	if keep < len(steps.items) {
		cut = max(e.trimmed(steps.starts[keep].line-1), e.keyLine("steps")+1)
	}
	if keep == 0 && len(done) == 0 {
		e.wholeLines(e.keyLine("steps"), end, "steps: []\n")
		return
	}
	indent := strings.Repeat(" ", steps.starts[0].column-1)
	e.wholeLines(cut, end, e.stepLines(indent, done))
}

func (e *editor) stepLines(indent string, done []Done) string {
	var b strings.Builder
	for _, d := range done {
		if d.Name == "" && d.Say == "" && len(d.Violations) == 0 {
			b.WriteString(indent + "- " + e.sc.EncodeAction(d.Do) + "\n")
			continue
		}
		b.WriteString(indent + "- " + strings.Join(e.pairs(&d), "\n"+indent+"  ") + "\n")
	}
	return b.String()
}

// pairs are the keys of a step.
func (e *editor) pairs(d *Done) []string {
	pairs := encodePairs(d.Do)
	for i := range pairs {
		pairs[i] = e.sc.named(pairs[i])
	}
	if d.Name != "" {
		pairs = append([]string{"step: " + d.Name}, pairs...)
	}
	if d.Say != "" {
		pairs = append(pairs, "say: "+scalar(d.Say))
	}
	if len(d.Violations) > 0 {
		pairs = append(pairs, "expect: {violations: "+flowList(d.Violations)+"}")
	}
	return pairs
}

// flowSteps edits a list in brackets.
func (e *editor) flowSteps(steps *node, keep int, done []Done) {
	from := position{steps.at.line, steps.at.column + 1}
	if keep > 0 {
		last := steps.items[keep-1].last()
		from = position{last.line, last.column + 1}
	}
	var added strings.Builder
	for i, d := range done {
		if i > 0 || keep > 0 {
			added.WriteString(", ")
		}
		added.WriteString("{" + strings.Join(e.pairs(&d), ", ") + "}")
	}
	e.between(from, steps.end, added.String()+"]")
}

// last is where the node's last character stands.
func (n *node) last() position {
	if n.kind == mapping && !n.flow && len(n.entries) > 0 {
		return n.entries[len(n.entries)-1].value.last()
	}
	return n.end
}

// topics names, with no partitions, the topics that only steps cut away would
// create: members may subscribe to them.
func (e *editor) topics(keep int, done []Done) {
	steps, topics := e.root.get("steps"), e.root.get("topics")
	keep = min(max(keep, 0), len(steps.items))
	created := func(name string) bool {
		for _, step := range steps.items[:keep] {
			if t := step.get("topics"); t != nil && t.has(name) {
				return true
			}
		}
		return topics.has(name) || slices.ContainsFunc(done, func(d Done) bool {
			set, ok := d.Do.(sim.SetTopics)
			return ok && slices.ContainsFunc(set.Topics, func(t protocol.Topic) bool { return t.Name == name })
		})
	}
	var lost []string
	for _, step := range steps.items[keep:] {
		if t := step.get("topics"); t != nil {
			for _, topic := range t.entries {
				if name := topic.key.text; !created(name) && !slices.Contains(lost, name) {
					lost = append(lost, name)
				}
			}
		}
	}
	if len(lost) == 0 {
		return
	}
	for i, name := range lost {
		lost[i] = scalar(name) + ": 0"
	}
	if !topics.flow {
		indent := strings.Repeat(" ", topics.at.column-1)
		at := e.blockEnd("topics")
		e.wholeLines(at, at, indent+strings.Join(lost, "\n"+indent)+"\n")
		return
	}
	if len(topics.entries) > 0 {
		last := topics.last()
		end := topics.entries[len(topics.entries)-1].value.last()
		e.between(position{end.line, end.column + 1}, last, ", "+strings.Join(lost, ", ")+"}")
		return
	}
	e.between(position{topics.at.line, topics.at.column}, topics.last(), "{"+strings.Join(lost, ", ")+"}")
}

// value sets a key of the file, in its place or on a line before the steps.
func (e *editor) value(key, written string) {
	old := e.root.get(key)
	switch {
	case old == nil && e.root.flow:
		at := e.offset(position{e.root.at.line, e.root.at.column + 1})
		e.edits = append(e.edits, edit{at, at, key + ": " + written + ", "})
	case old == nil:
		at := e.keyLine("steps")
		e.wholeLines(at, at, key+": "+written+"\n")
	case e.root.flow:
		e.between(position{old.at.line, old.at.column}, old.last(), written)
	default:
		e.wholeLines(e.keyLine(key), e.blockEnd(key), key+": "+written+"\n")
	}
}

// summary sets the summary, if need be on a line after the title.
func (e *editor) summary(written string) {
	if e.root.has("summary") || e.root.flow {
		e.value("summary", written)
		return
	}
	at := e.blockEnd("title")
	e.wholeLines(at, at, "summary: "+written+"\n")
}

// keyLine is the index of the line of a key of the file.
func (e *editor) keyLine(key string) int {
	i := slices.IndexFunc(e.root.entries, func(x entry) bool { return x.key.text == key })
	return e.root.entries[i].key.at.line - 1
}

// blockEnd is the index of the line after what belongs to a key of the file:
// empty lines and comments above the next key belong to that one.
func (e *editor) blockEnd(key string) int {
	i := slices.IndexFunc(e.root.entries, func(x entry) bool { return x.key.text == key })
	end := len(e.lines)
	if i+1 < len(e.root.entries) {
		end = e.root.entries[i+1].key.at.line - 1
	}
	return max(e.trimmed(end), e.root.entries[i].key.at.line)
}

// trimmed goes back over empty lines and comments before a line.
func (e *editor) trimmed(end int) int {
	for end > 0 {
		line := strings.TrimSpace(e.lines[end-1])
		if line != "" && line[0] != '#' {
			break
		}
		end--
	}
	return end
}
