package conformance

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"groupscope/core/protocol"
)

// reader reads the input side of a trace. Its first fault stays; what is read
// after it means nothing.
type reader struct{ err error }

func (r *reader) fault(path, format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf("%s: %s", path, fmt.Sprintf(format, args...))
	}
}

// object starts reading an object at a path.
func (r *reader) object(path string, v any) *fields {
	in, ok := v.(map[string]any)
	if !ok {
		r.fault(path, "want an object, got %s", asText(v))
	}
	return &fields{r: r, path: path, in: in, known: map[string]bool{}}
}

// fields are the members of an object. What is asked for is known; done
// refuses the rest.
type fields struct {
	r     *reader
	path  string
	in    map[string]any
	known map[string]bool
}

// done refuses fields that nobody asked for.
func (f *fields) done() {
	for _, name := range slices.Sorted(maps.Keys(f.in)) {
		if !f.known[name] {
			f.r.fault(f.at(name), "unknown field; known here: %v", slices.Sorted(maps.Keys(f.known)))
		}
	}
}

func (f *fields) at(name string) string {
	if f.path == "" {
		return name
	}
	return f.path + "." + name
}

// any is the field as it stands, nil when it is absent.
func (f *fields) any(name string) any {
	f.known[name] = true
	return f.in[name]
}

func (f *fields) has(name string) bool {
	f.known[name] = true
	_, ok := f.in[name]
	return ok
}

func (f *fields) wanted(name, what string) {
	f.r.fault(f.at(name), "want %s, got %s", what, asText(f.in[name]))
}

// pointer is a text, nil when it is absent or null.
func (f *fields) pointer(name string) *string {
	switch v := f.any(name).(type) {
	case nil:
	case string:
		return &v
	default:
		f.wanted(name, "a text")
	}
	return nil
}

// text is a text, "" when it is absent.
func (f *fields) text(name string) string {
	if v := f.pointer(name); v != nil {
		return *v
	}
	return ""
}

// int64 is a whole number.
func (f *fields) int64(name string, absent int64) int64 {
	if !f.has(name) {
		return absent
	}
	n, ok := f.in[name].(int64)
	if !ok {
		f.wanted(name, "a whole number")
	}
	return n
}

// int32 is a whole number of the protocol's usual size.
func (f *fields) int32(name string, absent int32) int32 {
	n := f.int64(name, int64(absent))
	if n < math.MinInt32 || n > math.MaxInt32 {
		f.wanted(name, "a number of 32 bits")
	}
	return int32(n)
}

func (f *fields) flag(name string) bool {
	if !f.has(name) {
		return false
	}
	b, ok := f.in[name].(bool)
	if !ok {
		f.wanted(name, "true or false")
	}
	return b
}

// list is nil when the field is absent, else not nil.
func (f *fields) list(name string) []any {
	if !f.has(name) {
		return nil
	}
	l, ok := f.in[name].([]any)
	if !ok {
		f.wanted(name, "a list")
	}
	return l
}

// object is nil when the field is absent.
func (f *fields) object(name string) *fields {
	if !f.has(name) {
		return nil
	}
	return f.r.object(f.at(name), f.in[name])
}

// objects are the objects of a list.
func (f *fields) objects(name string) []*fields {
	var out []*fields
	for i, v := range f.list(name) {
		out = append(out, f.r.object(fmt.Sprintf("%s[%d]", f.at(name), i), v))
	}
	return out
}

// texts is a list of texts, nil when it is absent.
func (f *fields) texts(name string) []string {
	if !f.has(name) {
		return nil
	}
	return f.textsOf(name, f.list(name))
}

func (f *fields) textsOf(name string, list []any) []string {
	out := []string{}
	for _, v := range list {
		s, ok := v.(string)
		if !ok {
			f.wanted(name, "texts")
		}
		out = append(out, s)
	}
	return out
}

// textLists is a list of lists of texts, nil when it is absent.
func (f *fields) textLists(name string) [][]string {
	var out [][]string
	for _, v := range f.list(name) {
		list, ok := v.([]any)
		if !ok {
			f.wanted(name, "a list of lists")
		}
		out = append(out, f.textsOf(name, list))
	}
	return out
}

// numbers is a list of whole numbers, nil when it is absent.
func (f *fields) numbers(name string) []int32 {
	if !f.has(name) {
		return nil
	}
	out := []int32{}
	for _, v := range f.list(name) {
		n, ok := v.(int64)
		if !ok || n < math.MinInt32 || n > math.MaxInt32 {
			f.wanted(name, "a list of whole numbers")
		}
		out = append(out, int32(n))
	}
	return out
}

// names are the fields there are, sorted, of an object whose names are free.
func (f *fields) names() []string { return slices.Sorted(maps.Keys(f.in)) }

// choice is one of a few words; absent is the first.
func (f *fields) choice(name string, known ...string) string {
	if !f.has(name) {
		return known[0]
	}
	word := f.text(name)
	if !slices.Contains(known, word) {
		f.wanted(name, fmt.Sprintf("one of %q", known))
	}
	return word
}

// textMap is an object of texts with free names; numbers and truth values
// count as what is written.
func (f *fields) textMap(name string) map[string]string {
	in := f.object(name)
	if in == nil {
		return nil
	}
	out := map[string]string{}
	for _, key := range in.names() {
		switch v := in.any(key).(type) {
		case string:
			out[key] = v
		case int64, bool:
			out[key] = fmt.Sprint(v)
		default:
			in.wanted(key, "a text")
		}
	}
	return out
}

// assignment is an object of names and numbers, like {"foo":[0,1]}; nil when
// the field is absent.
func (f *fields) assignment(name string) protocol.Assignment {
	in := f.object(name)
	if in == nil {
		return nil
	}
	var out []protocol.Partition
	for _, topic := range in.names() {
		for _, n := range in.numbers(topic) {
			out = append(out, protocol.Partition{Topic: protocol.TopicID(topic), Number: n})
		}
	}
	a := protocol.NewAssignment(out)
	if a.Len() != len(out) {
		f.wanted(name, "no number twice")
	}
	return a
}

// target is an assignment that a coordinator is to keep books of, so that its
// numbers must be those of partitions.
func (f *fields) target(name string) protocol.Assignment {
	a := f.assignment(name)
	for _, tp := range a {
		if n := len(tp.Partitions); n > 0 && (tp.Partitions[0] < 0 || tp.Partitions[n-1] >= mostPartitions) {
			f.wanted(name, fmt.Sprintf("numbers from 0 to %d", mostPartitions-1))
		}
	}
	return a
}

func (f *fields) int16(name string, absent int16) int16 {
	n := f.int64(name, int64(absent))
	if n < math.MinInt16 || n > math.MaxInt16 {
		f.wanted(name, "a number of 16 bits")
	}
	return int16(n)
}

// indexes is a list of small numbers, nil when it is absent.
func (f *fields) indexes(name string) []int16 {
	var out []int16
	for _, n := range f.numbers(name) {
		if n < math.MinInt16 || n > math.MaxInt16 {
			f.wanted(name, "numbers of 16 bits")
		}
		out = append(out, int16(n))
	}
	return out
}
