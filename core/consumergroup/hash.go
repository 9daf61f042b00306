package consumergroup

import (
	"encoding/binary"
	"hash/fnv"
	"slices"
)

// Hash is a hash of everything that assignors depend on in the metadata of
// the subscribed topics: ids, names, partitions and the racks of replicas; 0
// when none of them exists. The broker uses another function (KIP-1101);
// only equality matters.
func (c *Counts) Hash(topics Topics) int64 {
	h := fnv.New64a()
	var buf []byte
	text := func(s string) {
		buf = binary.BigEndian.AppendUint32(buf, uint32(len(s)))
		buf = append(buf, s...)
	}
	for _, name := range c.names() {
		topic, ok := topics.Named(name)
		if !ok {
			continue
		}
		text(string(topic.ID))
		text(topic.Name)
		buf = binary.BigEndian.AppendUint32(buf, uint32(topic.Partitions))
		for p, racks := range topic.Racks {
			racks = slices.Sorted(slices.Values(racks))
			buf = binary.BigEndian.AppendUint32(buf, uint32(p))
			buf = binary.BigEndian.AppendUint32(buf, uint32(len(racks)))
			for _, rack := range racks {
				text(rack)
			}
		}
	}
	if len(buf) == 0 {
		return 0
	}
	_, _ = h.Write(buf)
	return int64(h.Sum64() | 1)
}
