package scenario

import (
	"slices"
	"strings"

	"groupscope/core/protocol"
)

const endpointsShape = "endpoints are a list, [\"h1:9000\"], or a mapping to partitions, {\"h1:9000\": [in-0]}, or absent"

// endpointRoles are how an instance can have the data of a partition.
var endpointRoles = []string{"active", "standby"}

// endpoints reads which endpoints an answer lists, and for which partitions
// each can be asked.
func (x *expecting) endpoints(path string, n *node) {
	got := func(o *observed) string { return o.ofAnswer(endpointList) }
	if n.kind != mapping {
		x.wordList(path, n, endpointsShape, got)
		return
	}
	hosts := make([]string, len(n.entries))
	for i, e := range n.entries {
		hosts[i] = e.key.text
		if _, ok := x.endpoint(e.key); !ok {
			continue
		}
		if of := e.value; of.kind != mapping || len(of.entries) == 0 || !slices.Contains(endpointRoles, of.entries[0].key.text) {
			x.endpointReads(path, hosts[i], "active", of)
			continue
		}
		if x.mapping(e.value, endpointsShape, endpointRoles) {
			for _, role := range e.value.entries {
				x.endpointReads(path, hosts[i], role.key.text, role.value)
			}
		}
	}
	x.add(path, n, sortedList(hosts), got)
}

// endpointReads notes for which partitions an endpoint can be asked.
func (x *expecting) endpointReads(path, host, role string, n *node) {
	want, ok := x.partitions(n)
	if !ok {
		return
	}
	x.sameSet(strings.Join([]string{path, host, role}, "."), n, want, protocol.Partition.String, func(o *observed) (protocol.Assignment, string) {
		return o.endpointReads(host, role)
	})
}

// endpointReads is what the last answer says of an endpoint, or why it says
// nothing.
func (o *observed) endpointReads(host, role string) (protocol.Assignment, string) {
	var list []protocol.EndpointPartitions
	other := o.ofAnswer(func(r *protocol.StreamsGroupHeartbeatResponse) string {
		list = r.PartitionsByUserEndpoint
		return absentWord
	})
	i := slices.IndexFunc(list, func(e protocol.EndpointPartitions) bool { return e.Endpoint.String() == host })
	if i < 0 {
		return nil, other
	}
	named := list[i].Active
	if role == "standby" {
		named = list[i].Standby
	}
	var found []protocol.Partition
	for _, t := range named {
		for _, number := range t.Partitions {
			found = append(found, protocol.Partition{Topic: protocol.TopicID(t.Topic), Number: number})
		}
	}
	return protocol.NewAssignment(found), ""
}

func endpointList(r *protocol.StreamsGroupHeartbeatResponse) string {
	if r.PartitionsByUserEndpoint == nil {
		return absentWord
	}
	var names []string
	for _, e := range r.PartitionsByUserEndpoint {
		names = append(names, e.Endpoint.String())
	}
	return sortedList(names)
}
