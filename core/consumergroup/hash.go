package consumergroup

import (
	"groupscope/core/protocol"
	"groupscope/core/record"
)

// Hash is the metadata hash of the subscribed topics.
func (c *Counts) Hash(topics Topics) int64 {
	names := c.names()
	known := make([]protocol.Topic, 0, len(names))
	for _, name := range names {
		if topic, ok := topics.Named(name); ok {
			known = append(known, topic)
		}
	}
	return record.MetadataHash(known)
}
