package consumergroup

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
	case record.GroupMetadata:
		err = g.applyGroup(r)
	case record.MemberMetadata:
		err = g.applyMember(r)
	case record.TargetAssignmentMetadata:
		err = g.applyTargetMetadata(r)
	case record.TargetAssignmentMember:
		err = g.applyTarget(r)
	case record.CurrentMemberAssignment:
		err = g.applyCurrent(r)
	case record.RegularExpression:
		err = g.applyRegex(r)
	default:
		if r.Key.Type == record.PartitionMetadata && r.Value == nil {
			return nil // obsolete: older brokers wrote it
		}
		err = fmt.Errorf("a consumer group has no record of type %d", int(r.Key.Type))
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
	v, err := record.ValueOf[record.GroupMetadataValue](r)
	if err == nil {
		g.Epoch, g.MetadataHash = v.Epoch, v.MetadataHash
	}
	return err
}

func (g *Group) applyTargetMetadata(r record.Record) error {
	if r.Value == nil {
		if len(g.target) > 0 {
			return fmt.Errorf("the target still has %d members", len(g.target))
		}
		g.AssignmentEpoch, g.AssignmentTimestamp = -1, 0
		return nil
	}
	v, err := record.ValueOf[record.TargetAssignmentMetadataValue](r)
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
	v, err := record.ValueOf[record.TargetAssignmentMemberValue](r)
	if err != nil {
		return err
	}
	id := r.Key.Member
	g.target[id] = targetEntry{v.TopicPartitions, arrivals(g.target[id].arrival, v.TopicPartitions)}
	return nil
}

// arrivals keeps the order of the topics that stay and appends the new ones.
func arrivals(before []protocol.TopicID, now protocol.Assignment) []protocol.TopicID {
	out := make([]protocol.TopicID, 0, len(now))
	for _, topic := range before {
		if slices.ContainsFunc(now, func(tp protocol.TopicPartitions) bool { return tp.Topic == topic }) {
			out = append(out, topic)
		}
	}
	for _, tp := range now {
		if !slices.Contains(out, tp.Topic) {
			out = append(out, tp.Topic)
		}
	}
	return out
}

func (g *Group) applyMember(r record.Record) error {
	id := r.Key.Member
	old := g.members[id]
	if r.Value != nil {
		v, err := record.ValueOf[record.MemberMetadataValue](r)
		if err != nil {
			return err
		}
		if old == nil {
			old = NewMember(id)
		}
		if names := v.SubscribedTopicNames; len(names) > 0 && sameStrings(names, g.names) {
			v.SubscribedTopicNames = g.names
		} else {
			g.names = names
		}
		return g.put(old.WithMeta(v))
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
		return g.put(old.WithCurrent(record.CurrentMemberAssignmentValue{
			MemberEpoch: protocol.EpochLeaving, PreviousMemberEpoch: protocol.EpochLeaving,
		}))
	}
	v, err := record.ValueOf[record.CurrentMemberAssignmentValue](r)
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
	var from *record.CurrentMemberAssignmentValue
	if old != nil {
		from = &old.Current
	}
	if err := g.holders.move(from, &m.Current); err != nil {
		return err
	}
	g.table.Put(m.ID)
	if old == nil {
		i, _ := slices.BinarySearch(g.ids, m.ID)
		g.ids = slices.Insert(g.ids, i, m.ID)
		g.count(&m.Meta, 1)
	} else if !SameMeta(&old.Meta, &m.Meta) {
		g.count(&old.Meta, -1)
		g.count(&m.Meta, 1)
		g.dropInstance(old)
	}
	if instance := m.InstanceID(); instance != "" {
		g.static[instance] = m.ID
	}
	g.members[m.ID] = m
	g.recount()
	return nil
}

// recount works out Homogeneous anew.
func (g *Group) recount() {
	if !g.counted {
		return
	}
	counts := g.CountsWith(nil, nil)
	g.homogeneous, g.counted = counts.Homogeneous(), false
}

func (g *Group) remove(m *Member) {
	g.table.Remove(m.ID)
	if i, ok := slices.BinarySearch(g.ids, m.ID); ok {
		g.ids = slices.Delete(g.ids, i, i+1)
	}
	g.count(&m.Meta, -1)
	g.dropInstance(m)
	delete(g.members, m.ID)
	g.recount()
}

func (g *Group) dropInstance(m *Member) {
	if instance := m.InstanceID(); instance != "" && g.static[instance] == m.ID {
		delete(g.static, instance)
	}
}

// count adds a member's subscription and vote to the counts, or takes them
// away.
func (g *Group) count(meta *record.MemberMetadataValue, by int) {
	g.counted = true
	for _, name := range meta.SubscribedTopicNames {
		addCount(g.subscribers, name, by)
	}
	if regex := meta.SubscribedTopicRegex; regex != "" {
		addCount(g.regexUsers, regex, by)
	}
	if vote := deref(meta.ServerAssignor); vote != "" {
		addCount(g.votes, vote, by)
	}
}

func addCount(counts map[string]int, key string, by int) {
	if n := counts[key] + by; n > 0 {
		counts[key] = n
		return
	}
	delete(counts, key)
}
