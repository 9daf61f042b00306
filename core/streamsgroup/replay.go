package streamsgroup

import (
	"fmt"
	"slices"

	"groupscope/core/protocol"
	"groupscope/core/record"
)

// Apply replays one record of the group: the one way in which its state
// changes. An error means that the record cannot follow what came before.
func (g *Group) Apply(r record.Record) error {
	var err error
	switch r.Key.Type {
	case record.StreamsGroupMetadata:
		err = g.applyGroup(r)
	case record.StreamsMemberMetadata:
		err = g.applyMember(r)
	case record.StreamsTargetAssignmentMetadata:
		err = g.applyTargetMetadata(r)
	case record.StreamsTargetAssignmentMember:
		err = g.applyTarget(r)
	case record.StreamsCurrentMemberAssignment:
		err = g.applyCurrent(r)
	case record.StreamsTopology:
		err = g.applyTopology(r)
	default:
		err = fmt.Errorf("a streams group has no record of type %d", int(r.Key.Type))
	}
	if err != nil {
		return fmt.Errorf("group %s, record %s: %w", g.ID, r.Short(), err)
	}
	return nil
}

func (g *Group) applyGroup(r record.Record) error {
	if r.Value == nil {
		if len(g.members) > 0 {
			return fmt.Errorf("the group still has %d members", len(g.members))
		}
		return nil
	}
	v, err := record.ValueOf[record.StreamsGroupMetadataValue](r)
	if err != nil {
		return err
	}
	if g.Epoch == Unknown && g.AssignmentEpoch == Unknown {
		// The first record of a group tells of the first bump: there is no
		// target yet, and its epoch is the one from before.
		g.AssignmentEpoch = v.Epoch - 1
	}
	g.Epoch, g.MetadataHash = v.Epoch, v.MetadataHash
	g.ValidatedTopologyEpoch, g.LastAssignmentConfigs = v.ValidatedTopologyEpoch, v.LastAssignmentConfigs
	return nil
}

func (g *Group) applyTargetMetadata(r record.Record) error {
	if r.Value == nil {
		if len(g.target) > 0 {
			return fmt.Errorf("the target still has %d members", len(g.target))
		}
		g.AssignmentEpoch, g.AssignmentTimestamp = Unknown, 0
		return nil
	}
	v, err := record.ValueOf[record.StreamsTargetAssignmentMetadataValue](r)
	if err == nil {
		g.AssignmentEpoch, g.AssignmentTimestamp = v.AssignmentEpoch, v.AssignmentTimestamp
	}
	return err
}

func (g *Group) applyTarget(r record.Record) error {
	if r.Value == nil {
		delete(g.target, r.Key.Member)
		return nil
	}
	v, err := record.ValueOf[record.StreamsTargetAssignmentMemberValue](r)
	if err == nil {
		g.target[r.Key.Member] = v.Tasks
	}
	return err
}

func (g *Group) applyTopology(r record.Record) error {
	if r.Value == nil {
		g.Topology, g.topics = nil, nil
		return nil
	}
	v, err := record.ValueOf[record.StreamsTopologyValue](r)
	if err != nil {
		return err
	}
	g.Topology, g.topics = v.Topology, map[string]bool{}
	for _, name := range Needed(v.Topology) {
		g.topics[name] = true
	}
	return nil
}

func (g *Group) applyMember(r record.Record) error {
	id := r.Key.Member
	old := g.members[id]
	if r.Value != nil {
		v, err := record.ValueOf[record.StreamsMemberMetadataValue](r)
		if err != nil {
			return err
		}
		m := old
		if m == nil {
			m = NewMember(id)
		}
		return g.put(m.WithMeta(v))
	}
	if old == nil {
		return nil
	}
	if old.Epoch() != protocol.EpochLeaving {
		return fmt.Errorf("the member's current assignment was not deleted first")
	}
	if _, ok := g.target[id]; ok {
		return fmt.Errorf("the member's target was not deleted first")
	}
	g.remove(old)
	return nil
}

func (g *Group) applyCurrent(r record.Record) error {
	old := g.members[r.Key.Member]
	if r.Value == nil {
		if old == nil {
			return nil
		}
		return g.put(old.WithCurrent(nothing(protocol.EpochLeaving)))
	}
	v, err := record.ValueOf[record.StreamsCurrentMemberAssignmentValue](r)
	if err != nil {
		return err
	}
	if old == nil {
		old = NewMember(r.Key.Member)
	}
	return g.put(old.WithCurrent(v))
}

// put stores a new or changed member and keeps everything that is derived
// from members in step.
func (g *Group) put(m *Member) error {
	old := g.members[m.ID]
	if err := g.owners.move(old, m); err != nil {
		return err
	}
	g.table.Put(m.ID)
	if old == nil {
		i, _ := slices.BinarySearch(g.ids, m.ID)
		g.ids = slices.Insert(g.ids, i, m.ID)
	} else {
		g.dropInstance(old)
	}
	g.tally(old, -1)
	g.tally(m, 1)
	if instance := m.InstanceID(); instance != "" {
		g.static[instance] = m.ID
	}
	g.members[m.ID] = m
	return nil
}

func (g *Group) remove(m *Member) {
	g.table.Remove(m.ID)
	if i, ok := slices.BinarySearch(g.ids, m.ID); ok {
		g.ids = slices.Delete(g.ids, i, i+1)
	}
	g.tally(m, -1)
	g.dropInstance(m)
	delete(g.members, m.ID)
}

func (g *Group) dropInstance(m *Member) {
	if instance := m.InstanceID(); instance != "" && g.static[instance] == m.ID {
		delete(g.static, instance)
	}
}
