package conformance

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
)

// A JSON value is a map[string]any, a []any, a string, a bool, nil, an int64,
// or, for a number that is none, a json.Number. Unlike encoding/json's own
// decoding this refuses a key that stands twice and takes names exactly as
// they are spelled: nothing of a trace may be passed over.

// document is a trace: an object whose long lists are read one by one.
type document struct {
	head  map[string]any       // the rest, parsed
	lists map[string][]element // steps, events
}

// element is a value that is not parsed yet.
type element struct {
	line int // 1 the first of the file
	src  []byte
}

// longLists are read one by one.
var longLists = map[string]bool{"steps": true, "events": true}

// deepest is how deep values may be nested; traces go to 9.
const deepest = 100

// readDocument splits a trace. Its errors name line and column.
func readDocument(src []byte) (*document, error) {
	doc := &document{head: map[string]any{}, lists: map[string][]element{}}
	s := splitter{src: src, dec: json.NewDecoder(bytes.NewReader(src)), line: 1}
	s.dec.UseNumber()
	err := s.object(func(name string) error {
		if _, twice := doc.head[name]; twice || doc.lists[name] != nil {
			return s.errorAt(s.dec.InputOffset(), fmt.Errorf("%q stands twice", name))
		}
		if longLists[name] {
			list, err := s.list()
			doc.lists[name] = list
			return err
		}
		v, err := s.value()
		doc.head[name] = v
		return err
	})
	if err != nil {
		return nil, err
	}
	if _, err := s.dec.Token(); !errors.Is(err, io.EOF) {
		return nil, s.errorAt(s.dec.InputOffset(), errors.New("something follows the end of the trace"))
	}
	return doc, nil
}

// splitter walks the outermost object.
type splitter struct {
	src     []byte
	dec     *json.Decoder
	line    int   // at counted
	counted int64 // offset
}

func (s *splitter) object(member func(name string) error) error {
	if err := s.delim('{', "a trace is a JSON object"); err != nil {
		return err
	}
	for s.dec.More() {
		name, err := s.dec.Token()
		if err != nil {
			return s.fail(err)
		}
		if err := member(name.(string)); err != nil {
			return err
		}
	}
	return s.delim('}', "the object ends")
}

// list splits an array into its elements.
func (s *splitter) list() ([]element, error) {
	if err := s.delim('[', "a list stands here"); err != nil {
		return nil, err
	}
	out := []element{}
	for s.dec.More() {
		e, err := s.element()
		if err != nil {
			return nil, err
		}
		out = append(out, e)
	}
	return out, s.delim(']', "the list ends")
}

func (s *splitter) element() (element, error) {
	var raw json.RawMessage
	if err := s.dec.Decode(&raw); err != nil {
		return element{}, s.fail(err)
	}
	return element{line: s.lineAt(s.dec.InputOffset() - int64(len(raw))), src: raw}, nil
}

func (s *splitter) value() (any, error) {
	e, err := s.element()
	if err != nil {
		return nil, err
	}
	v, err := e.value()
	if err != nil {
		return nil, fmt.Errorf("line %d: %w", e.line, err)
	}
	return v, nil
}

func (s *splitter) delim(want json.Delim, sense string) error {
	t, err := s.dec.Token()
	if err != nil {
		return s.fail(err)
	}
	if t != want {
		return s.errorAt(s.dec.InputOffset(), fmt.Errorf("%v found where %s with %q", t, sense, want.String()))
	}
	return nil
}

// lineAt counts on from the last line asked for; offsets only grow.
func (s *splitter) lineAt(offset int64) int {
	s.line += bytes.Count(s.src[s.counted:offset], []byte{'\n'})
	s.counted = offset
	return s.line
}

// fail says where the JSON is broken. A decoder that is asked value by value
// does not know; one that reads all at once does.
func (s *splitter) fail(err error) error {
	var syntax *json.SyntaxError
	whole := json.Unmarshal(s.src, new(json.RawMessage))
	switch {
	case errors.As(whole, &syntax) && syntax.Offset < int64(len(s.src)):
		return s.errorAt(syntax.Offset-1, whole)
	case whole != nil:
		return s.errorAt(int64(len(s.src)), errors.New("the file ends in the middle of the trace"))
	}
	return err
}

// errorAt names a byte of the file as editors do.
func (s *splitter) errorAt(offset int64, err error) error {
	before := s.src[:min(max(offset, 0), int64(len(s.src)))]
	line := bytes.Count(before, []byte{'\n'}) + 1
	column := len(before) - bytes.LastIndexByte(before, '\n')
	return fmt.Errorf("line %d, column %d: %w", line, column, err)
}

// value parses an element.
func (e element) value() (any, error) {
	d := json.NewDecoder(bytes.NewReader(e.src))
	d.UseNumber()
	return parse(d, 0)
}

// parse reads the next value of well-formed JSON.
func parse(d *json.Decoder, depth int) (any, error) {
	if depth > deepest {
		return nil, fmt.Errorf("values are nested deeper than %d", deepest)
	}
	t, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch t := t.(type) {
	case json.Delim:
		if t == '[' {
			return parseList(d, depth+1)
		}
		return parseObject(d, depth+1)
	case json.Number:
		if n, err := strconv.ParseInt(t.String(), 10, 64); err == nil {
			return n, nil
		}
	}
	return t, nil
}

func parseObject(d *json.Decoder, depth int) (any, error) {
	out := map[string]any{}
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return nil, err
		}
		name := t.(string)
		if _, twice := out[name]; twice {
			return nil, fmt.Errorf("%q stands twice in an object", name)
		}
		if out[name], err = parse(d, depth); err != nil {
			return nil, err
		}
	}
	_, err := d.Token()
	return out, err
}

func parseList(d *json.Decoder, depth int) (any, error) {
	out := []any{}
	for d.More() {
		v, err := parse(d, depth)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	_, err := d.Token()
	return out, err
}

// asText writes a value as JSON on one line.
func asText(v any) string {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return err.Error()
	}
	return string(bytes.TrimSpace(out.Bytes()))
}
