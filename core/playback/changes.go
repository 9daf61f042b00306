package playback

import (
	"cmp"
	"slices"

	"groupscope/core/protocol"
)

// Changes is what differs between two states, for the rings, the cross-fades
// and the moves of a picture. It is worked out once a stop, never changed
// afterwards, and asked without allocation. All methods may be called on nil,
// which holds no change.
type Changes struct {
	// GroupEpoch, AssignmentEpoch and GroupState say that the value in the
	// group's header moved; all three are set when the group appeared.
	GroupEpoch, AssignmentEpoch, GroupState bool
	// Members has an entry for each member of the coordinator's books that
	// changed, sorted by member id.
	Members []MemberChange
	// Clients has an entry for each client that changed, in the order of
	// State.Clients.
	Clients []ClientChange
	// Partitions has an entry for each partition that changed, sorted.
	Partitions []PartitionChange
}

// MemberChange is how a member changed in the coordinator's books.
type MemberChange struct {
	ID string
	// Joined: it was not there before. Removed: it is not there any more; the
	// member as it was stands in Before only. Fenced: its removal, or a
	// refusal that left it in, answered a heartbeat with an epoch error.
	Joined, Removed, Fenced bool
	Epoch                   bool // its member epoch moved
	State                   bool // its member state moved
	Target                  bool // its part of the target is another one
}

// ClientChange is how a client's own view changed.
type ClientChange struct {
	Member string // the client's name
	Epoch  bool
	State  bool
	Owned  bool // what it reads is another set
	Error  bool // its last answer's error code is another one
}

// PartitionChange is how a partition moved in the coordinator's books. A
// member holds a partition that is in its assigned or its pending revocation
// list.
type PartitionChange struct {
	Partition protocol.Partition
	// From and To are the ids of the members that held it before and hold it
	// now, "" for nobody. Equal: it has not moved.
	From, To string
	// Asked: its holder is asked to give it up since this step. Kept: it was
	// asked before and may keep it after all.
	Asked, Kept bool
	// TargetFrom and TargetTo are the members whose target has it, before and now.
	TargetFrom, TargetTo string
	// Waiter is the member that waits for it, or may take it, since this step.
	Waiter string
	// Freed: its waiter had to wait before and may take it now.
	Freed bool
}

// Released reports that the holder before let it go.
func (c PartitionChange) Released() bool { return c.From != "" && c.From != c.To }

// Granted reports that somebody received it.
func (c PartitionChange) Granted() bool { return c.To != "" && c.From != c.To }

// Retargeted reports that the target gives it to somebody else.
func (c PartitionChange) Retargeted() bool { return c.TargetFrom != c.TargetTo }

// Member is the change of a member, zero when it did not change.
func (c *Changes) Member(id string) MemberChange {
	if c == nil {
		return MemberChange{}
	}
	i, ok := slices.BinarySearchFunc(c.Members, id, func(m MemberChange, id string) int { return cmp.Compare(m.ID, id) })
	if !ok {
		return MemberChange{}
	}
	return c.Members[i]
}

// Client is the change of a client's own view, zero when it did not change.
func (c *Changes) Client(name string) ClientChange {
	if c != nil {
		for i := range c.Clients {
			if c.Clients[i].Member == name {
				return c.Clients[i]
			}
		}
	}
	return ClientChange{}
}

// Partition is the change of a partition, zero when it did not change.
func (c *Changes) Partition(p protocol.Partition) PartitionChange {
	if c == nil {
		return PartitionChange{}
	}
	i, ok := slices.BinarySearchFunc(c.Partitions, p, func(x PartitionChange, p protocol.Partition) int { return x.Partition.Compare(p) })
	if !ok {
		return PartitionChange{}
	}
	return c.Partitions[i]
}
