package scenario

import (
	"slices"
	"strconv"

	"groupscope/core/client"
	"groupscope/core/protocol"
	"groupscope/core/sim"
)

// memberSetting is a setting of a member that its entry under members gives,
// and that a step may change.
type memberSetting struct {
	key   string
	read  func(r *reader, v *node, to *sim.MemberChange)
	write func(c *sim.MemberChange) string // "" when it stays as it is
}

// consumerSettings are those that a thread of a streams application has not:
// its topology says what it reads, and it commits by itself.
var consumerSettings = []string{"assignor", "protocol", "auto-commit"}

// settingsOf are the settings that members of a group of the protocol have.
func settingsOf(streams bool) []memberSetting {
	if !streams {
		return memberSettings
	}
	shared := slices.DeleteFunc(slices.Clone(memberSettings), func(s memberSetting) bool { return slices.Contains(consumerSettings, s.key) })
	return slices.Concat(shared, streamsSettings)
}

// memberSettings lists them in the order of the reference.
var memberSettings = []memberSetting{
	textSetting("instance", (*reader).instance, func(c *sim.MemberChange) **string { return &c.InstanceID }),
	textSetting("rack", (*reader).rack, func(c *sim.MemberChange) **string { return &c.RackID }),
	textSetting("assignor", (*reader).assignor, func(c *sim.MemberChange) **string { return &c.Assignor }),
	timeSetting("rebalance-timeout", 1, 24*24*protocol.Hour, func(c *sim.MemberChange) **protocol.Duration { return &c.RebalanceTimeout }),
	{"latency", readLatency, writeLatency},
	timeSetting("revoke-time", 0, MaxRun, func(c *sim.MemberChange) **protocol.Duration { return &c.RevokeTime }),
	timeSetting("assign-time", 0, MaxRun, func(c *sim.MemberChange) **protocol.Duration { return &c.AssignTime }),
	timeSetting("lost-time", 0, MaxRun, func(c *sim.MemberChange) **protocol.Duration { return &c.LostTime }),
	{"poll", readPoll, func(c *sim.MemberChange) string { return durationText(c.Poll) }},
	{"auto-commit", readAutoCommit, writeAutoCommit},
	{"quirks", readQuirks, writeQuirks},
	{"protocol", readMemberProtocol, writeMemberProtocol},
}

// memberProtocols are the protocols that a consumer may use.
var memberProtocols = []string{"consumer", "classic"}

func readMemberProtocol(r *reader, v *node, to *sim.MemberChange) {
	if name, ok := r.oneOf(v, "protocol", memberProtocols); ok {
		classic := name == "classic"
		to.Classic = &classic
	}
}

func writeMemberProtocol(c *sim.MemberChange) string {
	switch {
	case c.Classic == nil:
		return ""
	case *c.Classic:
		return "classic"
	}
	return "consumer"
}

// settingOf finds a setting; nil when members of the file's group have none
// of that name. A lone action may be about a group of either protocol.
func (r *reader) settingOf(key string) *memberSetting {
	known := settingsOf(r.world.streams)
	if r.world.loose {
		known = slices.Concat(memberSettings, streamsSettings)
	}
	i := slices.IndexFunc(known, func(s memberSetting) bool { return s.key == key })
	if i < 0 {
		return nil
	}
	return &known[i]
}

func settingKeys(streams bool) []string {
	var keys []string
	for _, s := range settingsOf(streams) {
		keys = append(keys, s.key)
	}
	return keys
}

// unknownSetting reports a key that a step cannot change.
func (r *reader) unknownSetting(key *node) {
	switch {
	case key.text == "subscribe" || key.text == "regex":
		r.fault(key, key.text+" is a step of its own", "Write subscribe: A, and to: [foo] beside it")
	case slices.Contains(memberKeys(r.world.streams), key.text):
		r.fault(key, key.text+" cannot change on the way", "One of: "+orList(settingKeys(r.world.streams)))
	default:
		r.unknownKey(key, settingKeys(r.world.streams))
	}
}

// durationText is a duration as a file has it, "" for none.
func durationText(d *protocol.Duration) string {
	if d == nil {
		return ""
	}
	return d.String()
}

func textSetting(key string, read func(r *reader, v *node) (string, bool), of func(c *sim.MemberChange) **string) memberSetting {
	return memberSetting{key, func(r *reader, v *node, to *sim.MemberChange) {
		if s, ok := read(r, v); ok {
			*of(to) = &s
		}
	}, func(c *sim.MemberChange) string {
		if s := *of(c); s != nil {
			return scalar(*s)
		}
		return ""
	}}
}

func (r *reader) instance(v *node) (string, bool) { return r.name(v, "an instance id is a name") }
func (r *reader) rack(v *node) (string, bool)     { return r.name(v, "a rack is a name") }
func (r *reader) assignor(v *node) (string, bool) { return r.oneOf(v, "assignor", Assignors) }

func timeSetting(key string, low, high protocol.Duration, of func(c *sim.MemberChange) **protocol.Duration) memberSetting {
	return memberSetting{key, func(r *reader, v *node, to *sim.MemberChange) {
		d, ok := r.duration(v)
		switch {
		case !ok:
		case d < low || d > high:
			r.fault(v, "out of range: "+key+" is from "+low.String()+" to "+high.String(), "")
		default:
			*of(to) = &d
		}
	}, func(c *sim.MemberChange) string { return durationText(*of(c)) }}
}

func readLatency(r *reader, v *node, to *sim.MemberChange) {
	low, high, ok := r.span(v)
	switch {
	case !ok:
	case high > MaxRun:
		r.fault(v, "out of range: latency is from 0s to "+MaxRun.String(), "")
	default:
		to.Latency = &sim.Range{Min: low, Max: high}
	}
}

func writeLatency(c *sim.MemberChange) string {
	switch {
	case c.Latency == nil:
		return ""
	case c.Latency.Min == c.Latency.Max:
		return c.Latency.Min.String()
	}
	return c.Latency.Min.String() + ".." + c.Latency.Max.String()
}

// minPoll is the least time between two calls of poll(), as each of them
// takes its time to simulate.
const minPoll = 100 * protocol.Millisecond

func readPoll(r *reader, v *node, to *sim.MemberChange) {
	d, ok := r.duration(v)
	switch {
	case !ok:
	case d != 0 && d < minPoll || d > MaxRun:
		r.fault(v, "out of range: poll is 0, for always, or from "+minPoll.String()+" to "+MaxRun.String(), "")
	default:
		to.Poll = &d
		if least := &r.world.minPoll; d > 0 && (*least == 0 || d < *least) {
			*least = d
		}
	}
}

func readAutoCommit(r *reader, v *node, to *sim.MemberChange) {
	if on, ok := r.truth(v, "auto-commit is true or false"); ok {
		to.AutoCommit = &on
	}
}

func writeAutoCommit(c *sim.MemberChange) string {
	if c.AutoCommit == nil {
		return ""
	}
	return strconv.FormatBool(*c.AutoCommit)
}

// quirkNames are the words that a file may list, if it is about a group of the
// protocol, "" for either.
func quirkNames(of string) []string {
	var out []string
	for _, q := range client.Quirks() {
		if only := quirkOnly(q.Of); of == "" || only == "" || only == of {
			out = append(out, q.Name)
		}
	}
	return out
}

// quirkOnly is the protocol that a quirk belongs to, "" for both.
func quirkOnly(of client.Kind) string {
	switch of {
	case client.ConsumerKind:
		return consumerProtocol
	case client.StreamsKind:
		return streamsProtocol
	}
	return ""
}

func readQuirks(r *reader, v *node, to *sim.MemberChange) {
	items, ok := r.names(v, "quirks are a list of faults of a client library")
	if !ok {
		return
	}
	quirks := []client.Quirk{}
	for _, item := range items {
		q, known := r.quirk(item)
		switch {
		case !known:
			return
		case slices.Contains(quirks, q):
			r.fault(item, "the quirk "+q.String()+" stands here twice", "")
			return
		}
		quirks = append(quirks, q)
	}
	to.Quirks = quirks
}

// quirk reads the name of a quirk that a member of the file can have.
func (r *reader) quirk(n *node) (client.Quirk, bool) {
	for _, q := range client.Quirks() {
		if only := quirkOnly(q.Of); n.text == q.Name && !r.fits(only) {
			r.misplaced(n, "the quirk "+q.Name, only)
			return 0, false
		}
	}
	of := ""
	if !r.world.loose {
		of = r.protocol()
	}
	name, known := r.oneOf(n, "quirk", quirkNames(of))
	q, _ := client.ParseQuirk(name)
	return q, known
}

func writeQuirks(c *sim.MemberChange) string {
	if c.Quirks == nil {
		return ""
	}
	names := make([]string, len(c.Quirks))
	for i, q := range c.Quirks {
		names[i] = q.String()
	}
	return flowList(names)
}
