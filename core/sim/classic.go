package sim

import (
	"slices"
	"strings"

	"groupscope/core/assignor"
	"groupscope/core/client"
	"groupscope/core/coordinator"
	"groupscope/core/protocol"
)

// ClassicExchange is a request of the classic protocol and its answer.
type ClassicExchange struct {
	Request  *client.ClassicRequest
	Response client.ClassicResponse
}

// ticket is a request that waits for its answer.
type ticket struct {
	number int64 `canon:"-"`
	parcel *parcel
}

func (m *MemberSetup) classicConfig() *client.ClassicConfig {
	if !m.Classic {
		return nil
	}
	return &client.ClassicConfig{}
}

// serveClassic has the coordinator answer a request of the classic protocol,
// unless the broker was told to refuse all.
func (w *World) serveClassic(p *parcel, refused coordinator.Result, broken bool) serving {
	r := p.classic.Request
	var got coordinator.ClassicResult
	switch {
	case broken:
		got = refusedClassic(r, refused.Response.Error)
		got.Decisions = refused.Decisions
	case r.Join != nil:
		got = w.broker().ClassicJoin(w.now, *r.Join)
	case r.Sync != nil:
		got = w.broker().ClassicSync(w.now, *r.Sync)
	case r.Heartbeat != nil:
		got = w.broker().ClassicHeartbeat(w.now, *r.Heartbeat)
	default:
		got = w.broker().ClassicLeave(w.now, *r.Leave)
	}
	answer := client.ClassicResponse{Join: got.Join, Sync: got.Sync, Heartbeat: got.Heartbeat, Leave: got.Leave}
	return serving{
		result: coordinator.Result{
			Response: w.answerInCommon(r, answer), Records: got.Records, Decisions: got.Decisions, Completed: got.Completed,
		},
		classic: &ClassicExchange{Request: r, Response: answer}, ticket: got.Ticket,
	}
}

func refusedClassic(r *client.ClassicRequest, code protocol.ErrorCode) coordinator.ClassicResult {
	switch {
	case r.Join != nil:
		return coordinator.ClassicResult{Join: &protocol.JoinGroupResponse{Error: code, GenerationID: -1, MemberID: r.Join.MemberID}}
	case r.Sync != nil:
		return coordinator.ClassicResult{Sync: &protocol.SyncGroupResponse{Error: code}}
	case r.Heartbeat != nil:
		return coordinator.ClassicResult{Heartbeat: &protocol.HeartbeatResponse{Error: code}}
	}
	return coordinator.ClassicResult{Leave: &protocol.LeaveGroupResponse{Error: code}}
}

// complete answers requests that had to wait.
func (w *World) complete(list []coordinator.Completion, event uint64) {
	for _, done := range list {
		i := slices.IndexFunc(w.waiting, func(t ticket) bool { return t.number == done.Ticket })
		if i < 0 {
			continue // its client is no more
		}
		p := w.waiting[i].parcel
		w.waiting = slices.Concat(w.waiting[:i], w.waiting[i+1:])
		answer := client.ClassicResponse{Join: done.Join, Sync: done.Sync}
		w.cause = event
		w.served(&w.members[p.member], p, serving{
			result:  coordinator.Result{Response: w.answerInCommon(p.classic.Request, answer)},
			classic: &ClassicExchange{Request: p.classic.Request, Response: answer}, late: true,
		})
	}
}

// classicInCommon is what a request of the classic protocol has in common with
// a heartbeat of a consumer: its generation stands for the epoch.
func classicInCommon(r *client.ClassicRequest, m *member) protocol.ConsumerGroupHeartbeatRequest {
	out := protocol.ConsumerGroupHeartbeatRequest{RebalanceTimeoutMs: -1}
	switch {
	case r.Join != nil:
		out.GroupID, out.MemberID, out.InstanceID = r.Join.GroupID, r.Join.MemberID, r.Join.GroupInstanceID
		out.RebalanceTimeoutMs = r.Join.RebalanceTimeoutMs
		out.SubscribedTopicNames = m.client.Subscription().Topics
	case r.Sync != nil:
		out.GroupID, out.MemberID, out.MemberEpoch, out.InstanceID = r.Sync.GroupID, r.Sync.MemberID, r.Sync.GenerationID, r.Sync.GroupInstanceID
	case r.Heartbeat != nil:
		out.GroupID, out.MemberID, out.MemberEpoch = r.Heartbeat.GroupID, r.Heartbeat.MemberID, r.Heartbeat.GenerationID
		out.InstanceID = r.Heartbeat.GroupInstanceID
	default:
		out.GroupID, out.MemberID, out.MemberEpoch = r.Leave.GroupID, r.Leave.Members[0].MemberID, protocol.EpochLeaving
	}
	return out
}

// answerInCommon is the same of an answer.
func (w *World) answerInCommon(asked *client.ClassicRequest, r client.ClassicResponse) protocol.ConsumerGroupHeartbeatResponse {
	var out protocol.ConsumerGroupHeartbeatResponse
	switch {
	case r.Join != nil:
		out.Error, out.MemberID, out.MemberEpoch = r.Join.Error, r.Join.MemberID, r.Join.GenerationID
	case r.Sync != nil:
		out.Error, out.MemberID, out.MemberEpoch = r.Sync.Error, asked.Sync.MemberID, asked.Sync.GenerationID
		if given, err := protocol.DecodeAssignment(r.Sync.Assignment); err == nil && r.Sync.Error == protocol.None {
			out.Assignment = w.byID(given.Partitions)
		}
	case r.Heartbeat != nil:
		out.Error, out.MemberID, out.MemberEpoch = r.Heartbeat.Error, asked.Heartbeat.MemberID, asked.Heartbeat.GenerationID
	case r.Leave != nil:
		out.Error, out.MemberEpoch = r.Leave.Error, protocol.EpochLeaving
	}
	return out
}

// byID are partitions of topics that are known by name.
func (w *World) byID(list []protocol.NamedPartitions) protocol.Assignment {
	var out []protocol.Partition
	for _, t := range list {
		id := protocol.TopicID(t.Topic)
		if i, exists := slices.BinarySearchFunc(w.topics, t.Topic, byName); exists {
			id = w.topics[i].ID
		}
		for _, n := range t.Partitions {
			out = append(out, protocol.Partition{Topic: id, Number: n})
		}
	}
	return protocol.NewAssignment(out)
}

// lead works out what the leader of a generation assigns to its members.
func (w *World) lead(m *member, r *client.ClassicRequest) {
	if r.Sync == nil || len(r.Led) == 0 {
		return
	}
	spec := w.specOf(r.Led)
	m.led = spec.Topics
	targets, err := assignor.Range{}.Assign(spec)
	if err != nil {
		return // an empty Sync: nobody gets anything
	}
	for i, m := range spec.Members {
		given := protocol.ClassicAssignment{Version: 3}
		for _, t := range targets[i] {
			given.Partitions = append(given.Partitions, protocol.NamedPartitions{Topic: t.Topic.Name(), Partitions: t.Partitions})
		}
		r.Sync.Assignments = append(r.Sync.Assignments, protocol.SyncGroupAssignment{MemberID: m.ID, Assignment: protocol.EncodeAssignment(given)})
	}
}

// ledAnew lets the leader of a generation know that its topics have changed.
func (w *World) ledAnew(m *member) {
	changed := slices.ContainsFunc(m.led, func(t protocol.Topic) bool { return w.partitionsOf(t.ID) != t.Partitions })
	if m.made.Classic && (changed || w.appeared(m)) {
		w.react(m, w.own(m).TopicsChanged(w.now))
	}
}

// appeared reports whether a topic exists now that the member subscribes to
// and could not assign.
func (w *World) appeared(m *member) bool {
	return slices.ContainsFunc(m.client.Subscription().Topics, func(name string) bool {
		i, exists := slices.BinarySearchFunc(w.topics, name, byName)
		return exists && !slices.ContainsFunc(m.led, func(t protocol.Topic) bool { return t.ID == w.topics[i].ID })
	})
}

// specOf is what the leader of a generation knows of its members.
func (w *World) specOf(led []protocol.JoinGroupMember) assignor.Spec {
	var spec assignor.Spec
	for _, m := range led {
		member := assignor.Member{ID: m.MemberID}
		if m.GroupInstanceID != nil {
			member.InstanceID = *m.GroupInstanceID
		}
		subscription, _ := protocol.DecodeSubscription(m.Metadata) // one that cannot be read subscribes to nothing
		for _, name := range sortedNames(subscription.Topics) {
			i, exists := slices.BinarySearchFunc(w.topics, name, byName)
			if !exists {
				continue
			}
			member.Topics = append(member.Topics, w.topics[i].ID)
			if !slices.ContainsFunc(spec.Topics, func(t protocol.Topic) bool { return t.Name == name }) {
				spec.Topics = append(spec.Topics, w.topics[i])
			}
		}
		slices.Sort(member.Topics)
		spec.Members = append(spec.Members, member)
	}
	slices.SortFunc(spec.Members, func(a, b assignor.Member) int { return strings.Compare(a.ID, b.ID) })
	slices.SortFunc(spec.Topics, func(a, b protocol.Topic) int { return strings.Compare(string(a.ID), string(b.ID)) })
	return spec
}
