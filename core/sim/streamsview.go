package sim

import (
	"cmp"
	"slices"

	"groupscope/core/client"
	"groupscope/core/coordinator"
	"groupscope/core/protocol"
)

// restores reports whether what a client believes changes with every instant,
// as its application restores state.
func (w *World) restores(m *member) bool {
	return w.topology != nil && m.client != nil && m.setup.Streams.Restore != nil && len(m.client.Progress(w.now)) > 0 &&
		!slices.EqualFunc(m.view.Streams.Progress, m.client.Progress(w.now), func(a TaskProgress, b client.TaskProgress) bool {
			return a == TaskProgress(b)
		})
}

// streamsState is what a streams client believes beyond what a consumer does.
func (w *World) streamsState(m *member, s *ClientState) {
	out := &StreamsClient{
		Process: cmp.Or(m.setup.Streams.Process, m.setup.Name), Endpoint: m.setup.Streams.Endpoint,
		TopologyEpoch: cmp.Or(m.setup.Streams.Topology, w.topology).Epoch, EndpointEpoch: -1,
		Standby: protocol.Assignment{}, Warmup: protocol.Assignment{},
		RevokingStandby: protocol.Assignment{}, RevokingWarmup: protocol.Assignment{},
		AddingStandby: protocol.Assignment{}, AddingWarmup: protocol.Assignment{},
	}
	s.Streams = out
	s.Subscribed = nil
	if m.client == nil {
		return
	}
	made := m.client.Streams()
	out.Process, out.Endpoint, out.TopologyEpoch = made.ProcessID, made.Endpoint, made.Topology.Epoch
	tasks := m.client.Tasks()
	out.Standby, out.Warmup = tasks.Standby, tasks.Warmup
	out.EndpointEpoch = m.client.EndpointEpoch()
	if !m.running() {
		return
	}
	out.Status = m.client.Status()
	if revoke, add := m.client.PendingTasks(); revoke.Present() {
		out.RevokingStandby, out.RevokingWarmup = revoke.Standby, revoke.Warmup
		out.AddingStandby, out.AddingWarmup = add.Standby, add.Warmup
	}
	for _, t := range m.client.Progress(w.now) {
		if t.End > 0 || m.setup.Streams.Restore != nil { // else there was nothing to restore
			out.Progress = append(out.Progress, TaskProgress(t))
		}
	}
}

// size counts the partitions and the topics that there have been so far. Of
// deleted topics a streams group, which holds tasks, remembers nothing.
func (w *World) size() (partitions, topics int) {
	if w.topology == nil {
		return w.ledger.size()
	}
	for _, t := range w.topics {
		partitions += int(t.Partitions)
	}
	return partitions, len(w.topics)
}

// tasks are those of the group's topology.
func (w *World) tasks(g *coordinator.Group) []coordinator.SubtopologyTasks {
	if g == nil || g.Streams == nil {
		return nil
	}
	s := g.Streams
	if s.Configured != nil || s.TopologyEpoch < 0 || s.ValidatedTopologyEpoch != s.TopologyEpoch {
		return s.Tasks
	}
	return coordinator.TasksOf(s.Topology, w.topics)
}

// unownedTasks are the tasks of the group's topology that nobody has as active
// tasks.
func (w *World) unownedTasks(tasks []coordinator.SubtopologyTasks) []Unowned {
	if len(tasks) == 0 {
		return nil
	}
	topics := make([]protocol.Topic, len(tasks))
	for i, t := range tasks {
		topics[i] = protocol.Topic{ID: protocol.TopicID(t.Subtopology), Partitions: t.Tasks}
		w.ledger.exists(w.now, topics[i])
	}
	slices.SortFunc(topics, func(a, b protocol.Topic) int { return cmp.Compare(a.ID, b.ID) })
	v := &w.view.unowned
	if v.version != w.ledger.version || !slices.EqualFunc(v.tasks, topics, func(a, b protocol.Topic) bool {
		return a.ID == b.ID && a.Partitions == b.Partitions
	}) {
		*v = unownedView{list: w.ledger.unowned(topics), version: w.ledger.version, tasks: topics}
	}
	return v.list
}
