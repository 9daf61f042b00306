package scenario

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"

	"groupscope/core/coordinator"
	"groupscope/core/protocol"
	"groupscope/core/record"
	"groupscope/core/sim"
)

// recordKeys are the keys of the records that have more than one value, by
// their numbers.
var recordKeys = map[record.Type][]string{
	record.GroupMetadata:            {"epoch"},
	record.MemberMetadata:           {"subscribe", "regex", "instance", "rack", "assignor", "rebalance-timeout"},
	record.TargetAssignmentMetadata: {"epoch"},
	record.CurrentMemberAssignment:  {"epoch", "previous-epoch", "state", "owns", "revokes", "assignment-epochs"},
}

// readLog reads the records that the coordinator finds at the start, in the
// notation of expectations: "5A: {subscribe: [foo]}", "T8B". A file about a
// streams group, whose topology is given, can have those of a consumer group,
// too: it had the id before.
func (r *reader) readLog(n *node, group string, topology *protocol.Topology) []record.Record {
	streams := r.world.streams
	r.world.streams, r.world.other = false, streams
	defer func() { r.world.streams = streams }()
	if n.kind != list {
		r.wanted(n, "log is a list of records in the order written, each like 3: {epoch: 2}, or like T8A for one that deletes")
		return nil
	}
	var out []record.Record
	for _, item := range n.items {
		key, value := item, (*node)(nil)
		if item.kind == mapping && len(item.entries) == 1 {
			key, value = item.entries[0].key, item.entries[0].value
		}
		k, deletes, ok := r.recordKey(key)
		if !ok {
			continue
		}
		k.Group = group
		switch {
		case deletes && value != nil:
			r.fault(value, "a record that deletes has no value", "")
		case !deletes && value == nil:
			r.fault(key, "record "+key.text+" has a value", "Write it behind a colon; T in front deletes")
		case !deletes && k.Type.Streams():
			out = append(out, record.Record{Key: k, Value: r.streamsRecord(k, value, topology)})
		case deletes:
			out = append(out, record.Record{Key: k})
		default:
			out = append(out, record.Record{Key: k, Value: r.recordValue(k, value)})
		}
	}
	return out
}

// recordKey reads the short name of a record.
func (r *reader) recordKey(n *node) (k record.Key, deletes, ok bool) {
	what := "a record is 3, 6, 5A, 7A or 8A, 16 and a regex, or 1 and a partition, with T in front when it deletes"
	if r.world.other {
		what = "a record is 17, 20, 23, 19A, 21A or 22A, 3, 6, 5A, 7A or 8A of the group that had the id before, or 1 and a partition, with T in front when it deletes"
	}
	s, ok := r.text(n, what)
	if !ok {
		return k, false, false
	}
	bare, deletes := strings.CutPrefix(s, "T")
	about := strings.TrimLeft(bare, "0123456789")
	number, _ := strconv.Atoi(strings.TrimSuffix(bare, about))
	k.Type = record.Type(number)
	rest := &node{kind: text, at: n.at, text: about}
	regex, isRegex := strings.CutPrefix(bare, "16")
	ofGroup := k.Type == record.GroupMetadata || k.Type == record.TargetAssignmentMetadata
	ofMember := k.Type == record.MemberMetadata || k.Type == record.TargetAssignmentMember || k.Type == record.CurrentMemberAssignment
	if r.world.other && k.Type.Streams() {
		ofGroup = k.Type == record.StreamsGroupMetadata || k.Type == record.StreamsTargetAssignmentMetadata || k.Type == record.StreamsTopology
		ofMember = k.Type == record.StreamsMemberMetadata || k.Type == record.StreamsTargetAssignmentMember || k.Type == record.StreamsCurrentMemberAssignment
	}
	switch {
	case ofGroup && about == "":
		return k, deletes, true
	case ofMember && about != "":
		if k.Member, ok = r.name(rest, what); ok && !slices.Contains(r.world.senders, k.Member) {
			r.world.senders = append(r.world.senders, k.Member)
		}
		return k, deletes, ok
	case isRegex && regex != "":
		k.Type, k.Regex = record.RegularExpression, regex
		return k, deletes, true
	case k.Type == record.OffsetCommit && about != "":
		p, fine := r.partition(rest)
		k.Topic, k.Partition = p.Topic.Name(), p.Number
		return k, deletes, fine
	}
	r.wanted(n, what)
	return k, deletes, false
}

func (r *reader) recordValue(k record.Key, n *node) record.Value {
	if keys, has := recordKeys[k.Type]; has && !r.mapping(n, "a record is a mapping, 3: {epoch: 2}", keys) {
		return nil
	}
	switch k.Type {
	case record.GroupMetadata:
		return record.GroupMetadataValue{Epoch: r.recordEpoch(n, "epoch", 1)}
	case record.TargetAssignmentMetadata:
		return record.TargetAssignmentMetadataValue{AssignmentEpoch: r.recordEpoch(n, "epoch", 1)}
	case record.MemberMetadata:
		return r.memberRecord(n)
	case record.TargetAssignmentMember:
		set, _ := r.partitions(n)
		return record.TargetAssignmentMemberValue{TopicPartitions: set}
	case record.CurrentMemberAssignment:
		return r.assignmentRecord(n)
	case record.OffsetCommit:
		v, _ := r.integer(n, "an offset is a whole number", 0, 1<<40)
		return record.OffsetCommitValue{Offset: v, CommitTimestamp: sim.DefaultStart}
	}
	items, _ := r.names(n, "the topics that a regex matched are a list")
	topics := []string{}
	for _, item := range items {
		topics = append(topics, item.text)
	}
	slices.Sort(topics)
	return record.RegularExpressionValue{Topics: topics, Timestamp: sim.DefaultStart}
}

func (r *reader) recordEpoch(n *node, key string, standard int32) int32 {
	v := n.get(key)
	if v == nil {
		if key == "epoch" {
			r.fault(n, "the key epoch is missing", "")
		}
		return standard
	}
	epoch, _ := r.integer(v, "an epoch is a whole number", -2, math.MaxInt32)
	return int32(epoch)
}

func (r *reader) memberRecord(n *node) record.Value {
	var m sim.MemberSetup
	var given sim.MemberChange
	for _, e := range n.entries {
		switch setting := r.settingOf(e.key.text); {
		case e.key.text == "subscribe":
			m.Subscribe = r.subscription(e.value)
		case e.key.text == "regex":
			m.Regex, _ = r.regex(e.value)
		case setting != nil:
			setting.read(r, e.value, &given)
		}
	}
	m = given.Apply(m)
	slices.Sort(m.Subscribe)
	timeout := m.RebalanceTimeout
	if timeout == 0 {
		timeout = 5 * protocol.Minute
	}
	return record.MemberMetadataValue{
		InstanceID: presentText(m.InstanceID), RackID: presentText(m.RackID), ServerAssignor: presentText(m.Assignor),
		SubscribedTopicNames: slices.Compact(m.Subscribe), SubscribedTopicRegex: m.Regex, RebalanceTimeoutMs: int32(timeout),
	}
}

func (r *reader) assignmentRecord(n *node) record.Value {
	out := record.CurrentMemberAssignmentValue{MemberEpoch: r.recordEpoch(n, "epoch", 0)}
	out.PreviousMemberEpoch = r.recordEpoch(n, "previous-epoch", out.MemberEpoch)
	if v := n.get("state"); v != nil {
		states := memberStates(false)
		if word, ok := r.oneOf(v, "member state", states); ok {
			out.State = record.MemberState(slices.Index(states, word))
		}
	}
	since := r.sinceEpochs(n, "assignment-epochs are a mapping from partitions to epochs, {foo-0: 2}", r.partition)
	held := func(key string) []record.Held {
		if v := n.get(key); v != nil {
			set, _ := r.partitions(v)
			return heldSince(set, since, out.MemberEpoch)
		}
		return nil
	}
	out.Assigned, out.PendingRevocation = held("owns"), held("revokes")
	return out
}

func keysOf(n *node) []string {
	var out []string
	for _, e := range n.entries {
		out = append(out, e.key.text)
	}
	return out
}

// checkLog reports a record that cannot follow those before it.
func (r *reader) checkLog(n *node, setup sim.Setup) {
	_, err := sim.New(setup)
	var bad *coordinator.LoadError
	if errors.As(err, &bad) && bad.Offset < len(n.items) {
		r.fault(n.items[bad.Offset], "this record cannot follow those before it: "+bad.Err.Error(), "")
	}
}
