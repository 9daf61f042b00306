package scenario

import (
	"slices"

	"groupscope/core/protocol"
	"groupscope/core/sim"
)

// actionKey is a key of a step that does something. The value of nearly all
// of them is the member it is done to; what else is needed stands beside it
// in the step, under keys that belong to the action.
type actionKey struct {
	key    string
	params []string
	read   func(r *reader, step, value *node) sim.Action // nil when it cannot
	only   string                                        // the one of protocols it belongs to, "" for both
}

// toMember makes the reader of an action that only needs a member.
func toMember(of func(member string) sim.Action) func(*reader, *node, *node) sim.Action {
	return func(r *reader, _, value *node) sim.Action {
		if name, ok := r.member(value); ok {
			return of(name)
		}
		return nil
	}
}

// DefaultPause is how long "pause: A" lasts when it does not say: longer than
// max.poll.interval.ms is by default, so that the poll timer ends.
const DefaultPause = 10 * protocol.Minute

// actions lists them in the order of the reference.
var actions []actionKey

func init() {
	actions = []actionKey{
		{"join", nil, toMember(func(m string) sim.Action { return sim.Join{Member: m} }), ""},
		{"heartbeat", []string{"with"}, readHeartbeat, ""},
		{"leave", []string{"option"}, readLeave, ""},
		{"crash", nil, toMember(func(m string) sim.Action { return sim.Crash{Member: m} }), ""},
		{"restart", nil, toMember(func(m string) sim.Action { return sim.Restart{Member: m} }), ""},
		{"pause", []string{"for"}, readPause, ""},
		{"subscribe", []string{"to", "regex"}, readSubscribe, "consumer"},
		{"commit", []string{"with", "offset"}, readCommit, "consumer"},
		{"fetch-offsets", []string{"with"}, readFetchOffsets, "consumer"},
		{"members", nil, readChangeMember, ""},
		{"shut-down", nil, toMember(func(m string) sim.Action { return sim.ShutDown{Member: m} }), "streams"},
		{"offsets", []string{"tasks"}, readOffsets, "streams"},
		{"lose-request", []string{"count"}, readLoss(func(m string, n int) sim.Action { return sim.LoseRequest{Member: m, Count: n} }), ""},
		{"lose-response", []string{"count"}, readLoss(func(m string, n int) sim.Action { return sim.LoseResponse{Member: m, Count: n} }), ""},
		{"delay", []string{"by", "of", "count"}, readDelay, ""},
		{"duplicate", []string{"count", "after"}, readDuplicate, ""},
		{"disconnect", nil, toMember(func(m string) sim.Action { return sim.Disconnect{Member: m} }), ""},
		{"partition", []string{"for"}, readPartition, ""},
		{"fail-callback", []string{"callback", "count"}, readFailCallback, ""},
		{"broker-error", []string{"for", "lookup-fails"}, readBrokerError, ""},
		{"fail-over", nil, toNobody("fail-over", sim.FailOver{}), ""},
		{"internal-topics", nil, readInternalTopics, "streams"},
		{"topics", []string{"metadata-delay"}, readSetTopics, ""},
		{"config", nil, readSetConfig, ""},
		{"resolve", nil, toNobody("resolve", sim.ResolveRegexes{}), "consumer"},
		{"describe", nil, toNobody("describe", sim.Describe{}), ""},
		{"cleanup", nil, toNobody("cleanup", sim.Cleanup{}), ""},
		{"delete-group", nil, toNobody("delete-group", sim.DeleteGroup{}), ""},
		{"send", nil, readSend, "consumer"},
	}
}

func actionOf(key string) *actionKey {
	i := slices.IndexFunc(actions, func(a actionKey) bool { return a.key == key })
	if i < 0 {
		return nil
	}
	return &actions[i]
}

// actionKeys lists the actions that files of the reader's kind may have.
func (r *reader) actionKeys() []string {
	var keys []string
	for _, a := range actions {
		if r.fits(a.only) {
			keys = append(keys, a.key)
		}
	}
	return keys
}

// fits reports whether what belongs to one protocol only, "" for both, has a
// place in the file. A lone action may be about a group of either.
func (r *reader) fits(only string) bool {
	return only == "" || r.world.loose || r.world.streams == (only == streamsProtocol)
}

// protocol is that of the file's group.
func (r *reader) protocol() string {
	if r.world.streams {
		return streamsProtocol
	}
	return consumerProtocol
}

// misplaced reports what belongs to the other protocol.
func (r *reader) misplaced(n *node, what, only string) {
	hint := "Write protocol: streams for one"
	if only == consumerProtocol {
		hint = "This file is about a streams group"
	}
	r.fault(n, what+" belongs to "+only+" groups", hint)
}

// paramOwners lists the actions that a key belongs to.
func paramOwners(key string) []string {
	var out []string
	for _, a := range actions {
		if slices.Contains(a.params, key) {
			out = append(out, a.key)
		}
	}
	return out
}

func readHeartbeat(r *reader, step, value *node) sim.Action {
	name, ok := r.member(value)
	a := sim.Heartbeat{Member: name}
	if with := step.get("with"); with != nil {
		a.With = r.overrides(with)
	}
	if !ok {
		return nil
	}
	return a
}

// leaveOptions are Kafka's names of how a consumer closes.
var leaveOptions = map[string]sim.LeaveOption{
	"DEFAULT": sim.LeaveDefault, "LEAVE_GROUP": sim.LeaveGroup, "REMAIN_IN_GROUP": sim.RemainInGroup,
}

func readLeave(r *reader, step, value *node) sim.Action {
	name, ok := r.member(value)
	a := sim.Leave{Member: name}
	if option := step.get("option"); option != nil {
		word, known := r.oneOf(option, "option", []string{"DEFAULT", "LEAVE_GROUP", "REMAIN_IN_GROUP"})
		ok = ok && known
		a.Option = leaveOptions[word]
	}
	if !ok {
		return nil
	}
	return a
}

func readPause(r *reader, step, value *node) sim.Action {
	name, ok := r.member(value)
	a := sim.Pause{Member: name, For: DefaultPause}
	if step.has("for") {
		d, fine := r.beside(step, "for")
		ok = ok && fine
		a.For = d
	}
	if !ok {
		return nil
	}
	return a
}

func readSubscribe(r *reader, step, value *node) sim.Action {
	name, ok := r.member(value)
	to, regex := step.get("to"), step.get("regex")
	a := sim.Subscribe{Member: name}
	switch {
	case to == nil && regex == nil:
		r.fault(value, "subscribe needs the key to", "Write to: [foo] beside it")
		return nil
	case to != nil && regex != nil:
		r.fault(regex, "a client subscribes to names or by a regex, not both", "")
		return nil
	case to != nil:
		a.Topics = r.subscription(to)
	default:
		text, fine := r.regex(regex)
		a.Regex, ok = text, ok && fine
	}
	if !ok {
		return nil
	}
	return a
}
