package consumergroup

import (
	"fmt"
	"maps"
	"slices"

	"groupscope/core/protocol"
	"groupscope/core/record"
)

// noHolder is the epoch of a partition that nobody has. Real holders have
// epochs of 0 and above, or -2 while a static member is away.
const noHolder int32 = -1

// partitionEpochs holds, for each partition, the member epoch of whoever has
// it assigned or still to be revoked.
type partitionEpochs map[protocol.TopicID][]int32

func (e partitionEpochs) clone() partitionEpochs {
	c := maps.Clone(e)
	for topic, epochs := range c {
		c[topic] = slices.Clone(epochs)
	}
	return c
}

func (e partitionEpochs) get(p protocol.Partition) int32 {
	if epochs := e[p.Topic]; int(p.Number) < len(epochs) {
		return epochs[p.Number]
	}
	return noHolder
}

// move replaces what one state of a member holds with what the next holds.
// An error means that two members were to hold one partition.
func (e partitionEpochs) move(from, to *record.CurrentMemberAssignmentValue) error {
	if from != nil {
		e.release(from.Assigned, from.MemberEpoch)
		e.release(from.PendingRevocation, from.MemberEpoch)
	}
	if to == nil {
		return nil
	}
	if err := e.take(to.Assigned, to.MemberEpoch); err != nil {
		return err
	}
	return e.take(to.PendingRevocation, to.MemberEpoch)
}

func (e partitionEpochs) release(held []record.Held, epoch int32) {
	for _, h := range held {
		if e.get(h.Partition) == epoch {
			e[h.Partition.Topic][h.Partition.Number] = noHolder
		}
	}
}

func (e partitionEpochs) take(held []record.Held, epoch int32) error {
	for _, h := range held {
		p := h.Partition
		if old := e.get(p); old != noHolder && old >= epoch {
			return fmt.Errorf("%s is held at epoch %d and cannot be taken at epoch %d", p, old, epoch)
		}
		epochs := e[p.Topic]
		for int(p.Number) >= len(epochs) {
			epochs = append(epochs, noHolder)
		}
		epochs[p.Number] = epoch
		e[p.Topic] = epochs
	}
	return nil
}
