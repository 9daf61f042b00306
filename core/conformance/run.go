package conformance

import (
	"encoding/base64"
	"encoding/json"
	"fmt"

	"groupscope/core/assignor"
	"groupscope/core/consumergroup"
	"groupscope/core/coordinator"
	"groupscope/core/protocol"
	"groupscope/core/rules"
)

// defaultGroup is the group of a request that names none.
const defaultGroup = "group"

// oldReport is what came of feeding one trace to the coordinator.
type oldReport struct {
	Trace   string
	Steps   int    // steps that were fed
	Of      int    // steps that the trace has
	Missing string // the feature at which it was cut, "" when it ran whole
	Targets int    // targets that our assignors computed
	// Mismatches are differences from the broker. After the first the rest of
	// the trace tells little, so it is not run.
	Mismatches []string
}

// runTrace feeds a trace to a new coordinator under the broker's rules and
// compares everything it does with what the broker did.
func runTrace(t *Trace) oldReport {
	report := oldReport{Trace: t.Name, Of: len(t.Steps)}
	steps, missing := t.Cut()
	report.Missing = missing
	r, err := newRunner(t)
	if err != nil {
		report.Mismatches = []string{err.Error()}
		return report
	}
	for i := range t.Steps[:steps] {
		r.differences = nil
		r.step(&t.Steps[i])
		report.Steps++
		if len(r.differences) > 0 {
			for _, d := range r.differences {
				report.Mismatches = append(report.Mismatches, fmt.Sprintf("%s, step %d (%s): %s", t.Name, i+1, t.Steps[i].Op, d))
			}
			break
		}
	}
	report.Targets = r.targets
	return report
}

// runner holds the coordinator under test and what the broker said last.
type runner struct {
	trace       *Trace
	coordinator *coordinator.Coordinator
	scripted    *scripted
	now         protocol.Instant
	topics      consumergroup.Topics
	groups      map[string]*Snapshot // as the broker has them
	theirHashes labels
	ourHashes   labels
	targets     int
	differences []string
}

func newRunner(t *Trace) (*runner, error) {
	r := &runner{
		trace: t, scripted: &scripted{}, now: protocol.Instant(t.StartTimeMs),
		groups: map[string]*Snapshot{}, theirHashes: labels{}, ourHashes: labels{},
	}
	topics, err := t.topics(t.Topics)
	if err != nil {
		return nil, err
	}
	r.coordinator = coordinator.New(t.config(r.scripted))
	r.setTopics(topics)
	return r, nil
}

func (r *runner) setTopics(topics []protocol.Topic) {
	r.topics = consumergroup.NewTopics(topics)
	r.coordinator.SetTopics(r.now, topics)
}

func (t *Trace) config(custom assignor.Assignor) coordinator.Config {
	cfg := coordinator.DefaultConfig(rules.Kafka())
	cfg.AssignmentInterval = protocol.Duration(t.Config.AssignmentIntervalMs)
	cfg.Custom = []assignor.Assignor{custom}
	if v := t.Config.SessionTimeoutMs; v != nil {
		cfg.SessionTimeout = protocol.Duration(*v)
	}
	if v := t.Config.HeartbeatIntervalMs; v != nil {
		cfg.HeartbeatInterval = protocol.Duration(*v)
	}
	if v := t.Config.GroupMaxSize; v != nil {
		cfg.MaxSize = *v
	}
	if v := t.Config.Assignors; v != nil {
		cfg.Assignors = v
	}
	return cfg
}

func (t *Trace) topics(list []Topic) ([]protocol.Topic, error) {
	out := make([]protocol.Topic, 0, len(list))
	for _, topic := range list {
		id := topic.Name
		if topic.Gen > 1 {
			id = fmt.Sprintf("%s#%d", topic.Name, topic.Gen)
		}
		uuid, err := base64.RawURLEncoding.DecodeString(t.TopicIDs[id])
		if err != nil || len(uuid) != 16 {
			return nil, fmt.Errorf("%s: topic %s has no UUID", t.Name, id)
		}
		out = append(out, protocol.Topic{
			ID: protocol.TopicID(id), Name: topic.Name, Partitions: topic.Partitions,
			Racks: topic.Racks, UUID: [16]byte(uuid),
		})
	}
	return out, nil
}

func (r *runner) step(s *Step) {
	group := s.GroupID
	switch s.Op {
	case "heartbeat":
		group = r.heartbeat(s)
	case "advance":
		r.advance(s)
	case "topics":
		topics, err := r.trace.topics(s.Topics)
		if err != nil {
			r.differ("%v", err)
			return
		}
		r.setTopics(topics)
	case "target":
		r.scripted.set(s.Assignment)
	case "describe":
		r.describe(s)
	default:
		r.differ("unknown operation")
	}
	if group == "" {
		group = defaultGroup
	}
	r.equal("clock", s.TimeMs, int64(r.now))
	r.compareGroup(group, s.Group)
}

// heartbeat feeds one request, and returns its group.
func (r *runner) heartbeat(s *Step) string {
	var q Request
	if err := strict(s.Request, &q); err != nil {
		r.differ("request: %v", err)
		return ""
	}
	if q.GroupID == "" {
		q.GroupID = defaultGroup
	}
	client := s.ClientID
	if client == "" {
		client = "client"
	}
	result := r.coordinator.Heartbeat(r.now, q.protocol(client))
	if s.Error != nil {
		r.equal("error", s.Error.Code, result.Response.Error.String())
	} else {
		r.equal("error", "NONE", result.Response.Error.String())
		r.equal("response", s.Response, response(&result.Response))
	}
	r.equal("records", r.theirs(s.Records), r.ours(result.Records))
	return q.GroupID
}

func (q *Request) protocol(client string) protocol.ConsumerGroupHeartbeatRequest {
	out := protocol.ConsumerGroupHeartbeatRequest{
		GroupID: q.GroupID, MemberID: q.MemberID, MemberEpoch: q.MemberEpoch,
		InstanceID: q.InstanceID, RackID: q.RackID, RebalanceTimeoutMs: -1,
		SubscribedTopicNames: q.SubscribedTopicNames, SubscribedTopicRegex: q.SubscribedTopicRegex,
		ServerAssignor: q.ServerAssignor, TopicPartitions: assignment(q.TopicPartitions),
		ClientID: client, ClientHost: "/127.0.0.1",
	}
	if q.RebalanceTimeoutMs != nil {
		out.RebalanceTimeoutMs = *q.RebalanceTimeoutMs
	}
	return out
}

// advance moves the clock, firing timers on the way.
func (r *runner) advance(s *Step) {
	r.now = r.now.Add(protocol.Duration(s.Ms))
	theirs, ours := []any{}, []any{}
	for _, e := range s.Expired {
		theirs = append(theirs, map[string]any{"timer": e.Timer, "timeMs": e.TimeMs, "records": r.theirs(e.Records)})
	}
	for _, e := range r.coordinator.Expire(r.now) {
		ours = append(ours, map[string]any{"timer": timerName(e), "timeMs": e.At, "records": r.ours(e.Records)})
	}
	r.equal("expired timers", theirs, ours)
}

func timerName(e coordinator.Expiry) string {
	kind := map[coordinator.TimerKind]string{
		coordinator.SessionTimer: "session-timeout", coordinator.RebalanceTimer: "rebalance-timeout",
	}[e.Timer]
	return kind + "-" + e.Group + "-" + e.Member
}

func (r *runner) differ(format string, args ...any) {
	r.differences = append(r.differences, fmt.Sprintf(format, args...))
}

// equal compares two values as JSON, in which maps are sorted.
func (r *runner) equal(what string, broker, ours any) {
	a, b := asJSON(broker), asJSON(ours)
	if a != b {
		r.differ("%s\n\tbroker %s\n\tours   %s", what, a, b)
	}
}

// asJSON writes a value with its keys sorted and its numbers exact.
func asJSON(v any) string {
	if raw, ok := v.(json.RawMessage); ok {
		var tree any
		if err := strict(raw, &tree); err != nil {
			return err.Error()
		}
		v = tree
	}
	out, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(out)
}

// scripted is an assignor that returns what it was told.
type scripted struct{ target map[string]map[string][]int32 }

// Name implements assignor.Assignor.
func (*scripted) Name() string { return "scripted" }

func (s *scripted) set(target map[string]map[string][]int32) { s.target = target }

// Assign implements assignor.Assignor; members it was not told of get nothing.
func (s *scripted) Assign(spec assignor.Spec) ([]protocol.Assignment, error) {
	out := make([]protocol.Assignment, len(spec.Members))
	for i, m := range spec.Members {
		out[i] = protocol.Assignment{}
		if named, ok := s.target[m.ID]; ok {
			out[i] = assignment(named)
		}
	}
	return out, nil
}
