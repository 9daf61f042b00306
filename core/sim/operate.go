package sim

import (
	"strconv"

	"groupscope/core/coordinator"
	"groupscope/core/protocol"
	"groupscope/core/record"
)

// Operation is something that the coordinator does beside handling heartbeats
// and firing timers.
type Operation int8

// The operations.
const (
	OffsetCommit Operation = iota
	OffsetFetch
	GroupDeletion // by an operator
	Expiration    // by the broker's own housekeeping
	Description   // for a tool
	RegexRefresh  // in the background
	ConfigChange  // the group's dynamic config is replaced
)

// String is the operation's name.
func (o Operation) String() string {
	return [...]string{"offset commit", "offset fetch", "group deletion", "expiration", "description", "regex refresh", "config change"}[o]
}

// Answers reports whether somebody is answered.
func (o Operation) Answers() bool {
	return o == OffsetCommit || o == OffsetFetch || o == GroupDeletion || o == Description
}

// Operated: the coordinator did something else than handle a heartbeat.
// Member is who asked for it, "" for an operator or the broker itself.
type Operated struct {
	Operation   Operation
	Member      string
	Error       protocol.ErrorCode
	Records     []record.Record
	Decisions   []coordinator.Decision
	Commit      *protocol.OffsetCommitRequest // of an OffsetCommit
	Fetch       *protocol.OffsetFetchRequest  // of an OffsetFetch
	Description *coordinator.Description      // of a Description
	Settings    []GroupSetting                // of a ConfigChange: all that are set now
}

func (Operated) occurrence() {}

// operate carries out an action that is the coordinator's.
func (w *World) operate(a Action) {
	switch a := a.(type) {
	case CommitOffsets:
		w.commit(w.find(a.Member), a)
	case FetchOffsets:
		w.fetch(w.find(a.Member), a)
	case DeleteGroup:
		r := w.broker().DeleteGroup(w.now, w.groupID)
		w.operated(Operated{Operation: GroupDeletion, Error: r.Error, Records: r.Records, Decisions: r.Decisions})
	case Cleanup:
		r := w.broker().Cleanup(w.now)
		w.operated(Operated{Operation: Expiration, Error: r.Error, Records: r.Records, Decisions: r.Decisions})
	case Describe:
		d := w.coordinator.Describe(w.groupID, w.groupType())
		if w.topology != nil { // active tasks are what a member has, here as in State
			for i := range d.Members {
				m := &d.Members[i]
				m.Assignment, m.TargetAssignment = m.Tasks.Active, m.TargetTasks.Active
			}
		}
		w.operated(Operated{Operation: Description, Error: d.Error, Description: &d})
	case ResolveRegexes:
		w.resolve()
	case SetGroupConfig:
		w.groupConfig = a.Settings
		w.configure()
		w.operated(Operated{Operation: ConfigChange, Settings: a.Settings})
	case SendRequest:
		w.sendRaw(a.With)
	}
}

func (w *World) groupType() coordinator.GroupType {
	if w.topology != nil {
		return coordinator.StreamsType
	}
	return coordinator.ConsumerType
}

func (w *World) operated(o Operated) {
	event := w.emit(o)
	w.wrote(o.Records, event)
}

// sessionTimeout is the group's.
func (w *World) sessionTimeout() protocol.Duration {
	name, timeout := "consumer.session.timeout.ms", w.config.SessionTimeout
	if w.topology != nil {
		name, timeout = "streams.session.timeout.ms", w.config.Streams.SessionTimeout
	}
	for _, s := range w.groupConfig {
		if ms, err := strconv.ParseInt(s.Value, 10, 32); s.Name == name && err == nil {
			timeout = protocol.Duration(ms)
		}
	}
	return timeout
}

// configure hands the group's dynamic config to the coordinator.
func (w *World) configure() {
	w.config.Groups = map[string]map[string]string{w.groupID: settingsMap(w.groupConfig)}
	if err := w.broker().SetGroupConfig(w.now, w.groupID, w.config.Groups[w.groupID]); err != nil {
		panic("sim: a config that was checked: " + err.Error())
	}
}

func settingsMap(settings []GroupSetting) map[string]string {
	out := make(map[string]string, len(settings))
	for _, s := range settings {
		out[s.Name] = s.Value
	}
	return out
}

// commit commits offsets as the member's client does.
func (w *World) commit(m *member, a CommitOffsets) {
	r := m.known(a.With)
	request := protocol.OffsetCommitRequest{
		GroupID: w.groupID, MemberID: r.MemberID, GenerationIDOrMemberEpoch: r.MemberEpoch, GroupInstanceID: r.InstanceID,
	}
	for _, p := range r.TopicPartitions.Partitions() {
		request.Offsets = append(request.Offsets, protocol.TopicOffset{Topic: p.Topic.Name(), Partition: p.Number, Offset: a.Offset})
	}
	result := w.broker().CommitOffsets(w.now, request)
	w.operated(Operated{
		Operation: OffsetCommit, Member: m.setup.Name, Error: result.Error,
		Records: result.Records, Decisions: result.Decisions, Commit: &request,
	})
}

// fetch asks for the committed offsets as the member's client does.
func (w *World) fetch(m *member, a FetchOffsets) {
	r := m.known(a.With)
	request := protocol.OffsetFetchRequest{GroupID: w.groupID, MemberID: r.MemberID, MemberEpoch: r.MemberEpoch}
	result := w.broker().FetchOffsets(w.now, request)
	w.operated(Operated{
		Operation: OffsetFetch, Member: m.setup.Name, Error: result.Error, Decisions: result.Decisions, Fetch: &request,
	})
}

// known is what the member's client says of itself, with fields replaced.
func (m *member) known(with []Override) protocol.ConsumerGroupHeartbeatRequest {
	r := protocol.ConsumerGroupHeartbeatRequest{
		MemberID: m.id(), MemberEpoch: m.client.Epoch(), TopicPartitions: m.client.Owned(),
	}
	if m.made.InstanceID != "" {
		r.InstanceID = &m.made.InstanceID
	}
	replace(fields, &r, with)
	return r
}

// sendRaw has the coordinator handle a heartbeat of no client of the scenario.
func (w *World) sendRaw(with []Override) {
	request := protocol.ConsumerGroupHeartbeatRequest{GroupID: w.groupID, RebalanceTimeoutMs: -1}
	replace(fields, &request, with)
	name := w.nameOf(request.MemberID)
	w.cause = w.emit(Sent{Member: name, Request: request, Raw: true})
	result, broken := w.refused()
	if !broken {
		result = w.broker().Heartbeat(w.now, request)
	}
	event := w.emit(Handled{
		Member: name, Request: request, Response: result.Response,
		Records: result.Records, Decisions: result.Decisions, Raw: true,
	})
	w.wrote(result.Records, event)
	w.complete(result.Completed, event)
	w.awaitRegexes()
}

// awaitRegexes lets what the coordinator has begun to do in the background end
// in time.
func (w *World) awaitRegexes() {
	if w.background.at != 0 || len(w.coordinator.Background()) == 0 {
		return
	}
	if w.resolveTime == 0 {
		w.resolve()
		return
	}
	w.background = slot{w.now.Add(w.resolveTime), w.next()}
	w.view.stale = true
}

// resolve ends what the coordinator does in the background.
func (w *World) resolve() {
	w.background = slot{}
	for _, run := range w.broker().RunBackground(w.now) {
		w.operated(Operated{Operation: RegexRefresh, Records: run.Records, Decisions: run.Decisions})
	}
}
