package scenario

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"groupscope/core/client"
	"groupscope/core/protocol"
	"groupscope/core/sim"
)

// streamsSettings are the settings that only members of streams groups have,
// in the order of the reference.
var streamsSettings = []memberSetting{
	textSetting("process", (*reader).process, func(c *sim.MemberChange) **string { return &c.Streams.Process }),
	{"endpoint", readEndpoint, writeEndpoint},
	{"tags", readTags, writeTags},
	{"topology", readMemberTopology, writeMemberTopology},
	{"restore", readRestore, writeRestore},
	{"ignores-status", readIgnoresStatus, writeIgnoresStatus},
}

func (r *reader) process(v *node) (string, bool) { return r.name(v, "a process is a name") }

// endpoint reads "host:port".
func (r *reader) endpoint(v *node) (*protocol.Endpoint, bool) {
	const what = "an endpoint is a host and a port, h1:9000"
	s, ok := r.text(v, what)
	if !ok {
		return nil, false
	}
	colon := strings.LastIndexByte(s, ':')
	port, err := strconv.ParseUint(s[colon+1:], 10, 16)
	if colon <= 0 || err != nil || strings.ContainsAny(s[:colon], " \t\n") || len(s) > 100 {
		r.wanted(v, what)
		return nil, false
	}
	return &protocol.Endpoint{Host: s[:colon], Port: uint16(port)}, true
}

func readEndpoint(r *reader, v *node, to *sim.MemberChange) {
	to.Streams.Endpoint, _ = r.endpoint(v)
}

func writeEndpoint(c *sim.MemberChange) string {
	if c.Streams.Endpoint == nil {
		return ""
	}
	return scalar(c.Streams.Endpoint.String())
}

// tags reads {zone: z1}.
func (r *reader) tags(v *node) ([]protocol.Tag, bool) {
	const what = "tags are a mapping from keys to values, {zone: z1}"
	if v.kind != mapping {
		r.wanted(v, what)
		return nil, false
	}
	out := []protocol.Tag{}
	for _, e := range v.entries {
		key, ok := r.name(e.key, what)
		value, fine := r.name(e.value, what)
		if !ok || !fine {
			return nil, false
		}
		out = append(out, protocol.Tag{Key: key, Value: value})
	}
	slices.SortFunc(out, func(a, b protocol.Tag) int { return strings.Compare(a.Key, b.Key) })
	return out, true
}

func readTags(r *reader, v *node, to *sim.MemberChange) { to.Streams.Tags, _ = r.tags(v) }

func writeTags(c *sim.MemberChange) string {
	if c.Streams.Tags == nil {
		return ""
	}
	return encodeTags(c.Streams.Tags)
}

func encodeTags(tags []protocol.Tag) string {
	out := make([]string, len(tags))
	for i, t := range tags {
		out[i] = scalar(t.Key) + ": " + scalar(t.Value)
	}
	return "{" + strings.Join(out, ", ") + "}"
}

func readMemberTopology(r *reader, v *node, to *sim.MemberChange) {
	to.Streams.Topology = r.topologyOrName(v)
}

func writeMemberTopology(c *sim.MemberChange) string {
	if c.Streams.Topology == nil {
		return ""
	}
	return encodeTopology(c.Streams.Topology)
}

var restoreKeys = []string{"rate", "end"}

func readRestore(r *reader, v *node, to *sim.MemberChange) {
	if !r.mapping(v, "restore is {rate: 1000, end: 20000}: records a second, and the length of each changelog", restoreKeys) {
		return
	}
	var out client.Restore
	into := []*int64{&out.Rate, &out.End}
	for i, key := range restoreKeys {
		n := v.get(key)
		if n == nil {
			r.fault(v, "the key "+key+" is missing", "")
			return
		}
		number, ok := r.integer(n, key+" is a whole number", 0, math.MaxInt32)
		if !ok {
			return
		}
		*into[i] = number
	}
	to.Streams.Restore = &out
}

func writeRestore(c *sim.MemberChange) string {
	if c.Streams.Restore == nil {
		return ""
	}
	return "{rate: " + strconv.FormatInt(c.Streams.Restore.Rate, 10) + ", end: " + strconv.FormatInt(c.Streams.Restore.End, 10) + "}"
}

func readIgnoresStatus(r *reader, v *node, to *sim.MemberChange) {
	if on, ok := r.truth(v, "ignores-status is true or false"); ok {
		to.Streams.IgnoresStatus = &on
	}
}

func writeIgnoresStatus(c *sim.MemberChange) string {
	if c.Streams.IgnoresStatus == nil {
		return ""
	}
	return strconv.FormatBool(*c.Streams.IgnoresStatus)
}
