package coordinator

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"groupscope/core/protocol"
	"groupscope/core/record"
)

// offsets are the committed offsets, by group and then by the key of their
// record. They outlive the group object: a log may have them first.
type offsets map[string]map[record.Key]record.OffsetCommitValue

func (f offsets) clone() offsets {
	c := maps.Clone(f)
	for id, of := range c {
		c[id] = maps.Clone(of)
	}
	return c
}

// apply replays an offset record.
func (f *offsets) apply(r record.Record) error {
	group := r.Key.Group
	if r.Value == nil {
		delete((*f)[group], r.Key)
		if len((*f)[group]) == 0 {
			delete(*f, group)
		}
		return nil
	}
	v, err := record.ValueOf[record.OffsetCommitValue](r)
	if err != nil {
		return err
	}
	if *f == nil {
		*f = offsets{}
	}
	if (*f)[group] == nil {
		(*f)[group] = map[record.Key]record.OffsetCommitValue{}
	}
	(*f)[group][r.Key] = v
	return nil
}

// keys lists the keys of a group's offsets, by topic and partition.
func (f offsets) keys(group string) []record.Key {
	return slices.SortedFunc(maps.Keys(f[group]), func(a, b record.Key) int {
		return cmp.Or(strings.Compare(a.Topic, b.Topic), cmp.Compare(a.Partition, b.Partition))
	})
}

// tombstones delete all offsets of a group.
func (f offsets) tombstones(group string) []record.Record {
	var out []record.Record
	for _, key := range f.keys(group) {
		out = append(out, tombstone(key))
	}
	return out
}

// expired are the tombstones of a group's offsets that are too old and of a
// topic that the group does not read, and whether no offset remains.
func (f offsets) expired(group string, reads func(topic string) bool, now protocol.Instant, retention protocol.Duration) (gone []record.Record, all bool) {
	for _, key := range f.keys(group) {
		if committed := f[group][key]; !reads(key.Topic) && now.Sub(committed.CommitTimestamp) >= retention {
			gone = append(gone, tombstone(key))
		}
	}
	return gone, len(gone) == len(f[group])
}
