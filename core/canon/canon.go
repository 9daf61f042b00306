// Package canon writes a value as bytes that are equal if and only if the
// values are the same state: what an explorer compares worlds by.
//
// Everything counts that is reachable from the value, unexported fields
// included, so a field that somebody adds counts by itself. Two things make
// equal futures equal bytes. Instants are written relative to the present, and
// those that lie further back or ahead than anything looks are all the same.
// And a field may have a tag: with `canon:"-"` it is left out (a cache, a count
// of what happened, something that follows from other fields or never
// changes), with `canon:"set"` neither the order of a slice nor its zero
// values count.
package canon

import (
	"encoding/binary"
	"reflect"
	"slices"
	"unsafe"

	"groupscope/core/protocol"
)

// Writer writes values. Its zero value is ready for use; it is not safe for
// concurrent use.
type Writer struct {
	// Now is the present. Instants more than Back before it are all written
	// the same, and so are those more than Ahead after it.
	Now         protocol.Instant
	Back, Ahead protocol.Duration

	plans map[reflect.Type]plan
	out   []byte
	ends  []int // of pieces of the output that are to be sorted
	spare []byte
}

// Append writes what a pointer points to, which must not be nil.
func Append[T any](w *Writer, out []byte, value *T) []byte {
	w.out = out
	w.planOf(reflect.TypeFor[T]())(w, unsafe.Pointer(value))
	out, w.out = w.out, nil
	return out
}

// instant writes 0 as it is: it stands for never, or unknown.
func (w *Writer) instant(at protocol.Instant) {
	w.flag(at != 0)
	if at != 0 {
		w.out = binary.AppendVarint(w.out, int64(min(max(at.Sub(w.Now), -w.Back), w.Ahead)))
	}
}

func (w *Writer) text(s string) {
	w.out = binary.AppendUvarint(w.out, uint64(len(s)))
	w.out = append(w.out, s...)
}

func (w *Writer) flag(b bool) {
	if b {
		w.out = append(w.out, 1)
	} else {
		w.out = append(w.out, 0)
	}
}

// sort puts the pieces of the output that end at the given places in the order
// of their bytes; the first one begins at begin.
func (w *Writer) sort(begin int, ends []int) {
	pieces := make([][]byte, len(ends))
	w.spare = append(w.spare[:0], w.out[begin:]...)
	from := 0
	for i, end := range ends {
		pieces[i] = w.spare[from : end-begin]
		from = end - begin
	}
	slices.SortFunc(pieces, slices.Compare[[]byte])
	w.out = w.out[:begin]
	for _, p := range pieces {
		w.out = append(w.out, p...)
	}
}
