package board

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"groupscope/core/protocol"
	"groupscope/core/sim"
	"groupscope/render/scene"
)

// words keeps the texts of earlier frames, so that a frame in which little
// changed makes no new ones.
type words struct {
	numbers  []string
	labels   map[labelKey]string
	widths   map[widthKey]float32
	cuts     map[cutKey]string
	clients  map[clientKey]clientText
	letters  map[string]string // topics to prefixes
	of       []topic           // which the prefixes belong to
	regions  map[regionKey]regionText
	messages map[*sim.Event]messageText
	states   map[stateKey]string
	lane     map[laneKey]string
	texts    map[string]string
	summary  summary
	line     []byte
}

type (
	labelKey struct {
		prefix string
		dash   bool
		number int32
	}
	widthKey struct {
		text   string
		size   float32
		weight scene.Weight
	}
	cutKey struct {
		text        string
		size, width float32
		weight      scene.Weight
		middle      bool
	}
	clientKey struct{ is, was *sim.ClientState }
	stateKey  struct {
		state *sim.State
		label string
	}
	laneKey struct {
		state *sim.State
		width float32
	}
)

// enough is when a memory is thrown away: far above what one picture needs.
const enough = 20000

// fresh makes the maps, or empties those that grew too much.
func (w *words) fresh() {
	if w.labels == nil || len(w.labels)+len(w.widths)+len(w.cuts)+len(w.regions)+len(w.messages)+len(w.clients)+len(w.texts) > enough {
		*w = words{
			numbers: w.numbers, labels: map[labelKey]string{}, widths: map[widthKey]float32{}, cuts: map[cutKey]string{},
			clients: map[clientKey]clientText{}, letters: map[string]string{}, regions: map[regionKey]regionText{},
			messages: map[*sim.Event]messageText{}, states: map[stateKey]string{}, lane: map[laneKey]string{}, texts: map[string]string{}, line: w.line,
		}
	}
}

// number is a number as text.
func (w *words) number(n int32) string {
	if n < 0 || n > 9999 {
		return strconv.Itoa(int(n))
	}
	for len(w.numbers) <= int(n) {
		w.numbers = append(w.numbers, strconv.Itoa(len(w.numbers)))
	}
	return w.numbers[n]
}

// width measures a label, once.
func (w *words) width(text string, size float32, weight scene.Weight) float32 {
	k := widthKey{text, size, weight}
	v, ok := w.widths[k]
	if !ok {
		v = scene.Measure(text, size, weight)
		w.widths[k] = v
	}
	return v
}

// cut shortens a text to a width, once; middle keeps its end.
func (w *words) cut(text string, size float32, weight scene.Weight, width float32, middle bool) string {
	if w.width(text, size, weight) <= width {
		return text
	}
	k := cutKey{text, size, width, weight, middle}
	v, ok := w.cuts[k]
	if !ok {
		if middle {
			v = scene.ShortenMiddle(text, size, weight, width, 5)
		} else {
			v = scene.Shorten(text, size, weight, width)
		}
		w.cuts[k] = v
	}
	return v
}

// label names a partition: "foo-2", or "f2" by its topic's prefix.
func (w *words) label(prefix string, dash bool, number int32) string {
	k := labelKey{prefix, dash, number}
	v, ok := w.labels[k]
	if !ok {
		if dash {
			v = prefix + "-" + w.number(number)
		} else {
			v = prefix + w.number(number)
		}
		w.labels[k] = v
	}
	return v
}

// task names a task: "0_2".
func (w *words) task(p protocol.Partition) string {
	k := labelKey{string(p.Topic), true, -2 - p.Number}
	v, ok := w.labels[k]
	if !ok {
		v = protocol.TaskName(p)
		w.labels[k] = v
	}
	return v
}

// taskIn is a task's name in so much room: of a long subtopology's id a
// beginning, for the number tells its tasks apart.
func (w *words) taskIn(p protocol.Partition, size, room float32) string {
	name := w.task(p)
	if w.width(name, size, scene.Medium) <= room {
		return name
	}
	number := name[len(p.Topic):]
	id := w.cut(string(p.Topic), size, scene.Medium, room-w.width(number, size, scene.Medium), false)
	w.line = append(append(w.line[:0], id...), number...)
	return w.intern(w.line)
}

// prefixes gives each topic the shortest beginning of its name that no other
// one has, or, where that is longer than two characters, a letter by its order.
func (w *words) prefixes(ts []topic) {
	if !sameTopics(ts, w.of) {
		w.of = append(w.of[:0], ts...)
		clear(w.letters)
		for i := range ts {
			w.letters[string(ts[i].id)] = shortest(ts, i)
		}
		for i := range ts {
			if len(w.letters[string(ts[i].id)]) > 2 {
				for j := range ts {
					w.letters[string(ts[j].id)] = letter(j)
				}
				break
			}
		}
	}
	for i := range ts {
		ts[i].prefix = w.letters[string(ts[i].id)]
	}
}

func sameTopics(a, b []topic) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].id != b[i].id {
			return false
		}
	}
	return true
}

func shortest(ts []topic, i int) string {
	id := string(ts[i].id)
	for end := 0; end < len(id); {
		_, n := utf8.DecodeRuneInString(id[end:])
		end += n
		last, _ := utf8.DecodeLastRuneInString(id[:end])
		alone := last < '0' || last > '9' // "t12" must not read as t1, 2
		for j := range ts {
			alone = alone && (j == i || !strings.HasPrefix(string(ts[j].id), id[:end]))
		}
		if alone {
			return id[:end]
		}
	}
	return id + "-"
}

func letter(i int) string {
	if i < 26 {
		return string(rune('a' + i))
	}
	return letter(i/26-1) + letter(i%26)
}

// intern keeps one string of each text.
func (w *words) intern(text []byte) string {
	if v, ok := w.texts[string(text)]; ok {
		return v
	}
	v := string(text)
	w.texts[v] = v
	return v
}
