// Package journal keeps what only ever grows, such as a log, so that a copy
// costs nothing: copies share what was written before they parted.
package journal

// Journal is a list that is only appended to. Its zero value is empty, and it
// is copied by assignment; each copy grows by itself.
type Journal[T any] struct{ last *batch[T] }

// batch is what was appended at once. It never changes.
type batch[T any] struct {
	before *batch[T]
	items  []T
	length int // of the journal up to here
}

// Of is a journal that begins with items, which must not be changed afterwards.
func Of[T any](items []T) Journal[T] {
	var j Journal[T]
	j.Append(items...)
	return j
}

// Append adds items, which must not be changed afterwards.
func (j *Journal[T]) Append(items ...T) {
	if len(items) > 0 {
		j.last = &batch[T]{before: j.last, items: items, length: j.Len() + len(items)}
	}
}

// Len is the number of items.
func (j Journal[T]) Len() int {
	if j.last == nil {
		return 0
	}
	return j.last.length
}

// All lists the items, the oldest first, in a slice of the caller's own.
func (j Journal[T]) All() []T {
	out := make([]T, j.Len())
	for b := j.last; b != nil; b = b.before {
		copy(out[b.length-len(b.items):], b.items)
	}
	return out
}
