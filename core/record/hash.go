package record

import (
	"encoding/binary"
	"hash/fnv"
	"slices"

	"groupscope/core/protocol"
)

// MetadataHash is a hash of everything about topics that an assignment
// depends on: ids, names, partitions and the racks of replicas; 0 for no
// topic. The topics stand in the order of their names. The broker uses
// another function (KIP-1101); only equality matters.
func MetadataHash(topics []protocol.Topic) int64 {
	if len(topics) == 0 {
		return 0
	}
	var buf []byte
	text := func(s string) {
		buf = binary.BigEndian.AppendUint32(buf, uint32(len(s)))
		buf = append(buf, s...)
	}
	for _, topic := range topics {
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
	h := fnv.New64a()
	_, _ = h.Write(buf)
	return int64(h.Sum64() | 1)
}
