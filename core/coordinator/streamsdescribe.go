package coordinator

import (
	"groupscope/core/protocol"
	"groupscope/core/streamsgroup"
)

// describeStreams adds what is told of a streams group. Tasks that a member
// has yet to give up are not among those it has.
func describeStreams(out *Description, view *Group) {
	s := view.Streams
	if s.Topology == nil {
		out.Error = protocol.UnknownServerError
		out.ErrorMessage = "Group " + view.ID + " has no topology."
		return
	}
	topology := s.Topology
	if s.Ready {
		topology = s.Configured
	}
	out.Topology = streamsgroup.Described(topology)
	for _, m := range view.Members {
		out.Members = append(out.Members, DescribedMember{
			MemberID:    m.ID,
			InstanceID:  m.InstanceID,
			RackID:      m.RackID,
			MemberEpoch: m.MemberEpoch,
			ClientID:    m.ClientID,
			ClientHost:  m.ClientHost,
			Tasks: protocol.Tasks{
				Active: streamsgroup.ActiveTasks(m.Assigned), Standby: m.Streams.Standby, Warmup: m.Streams.Warmup,
			},
			TargetTasks: protocol.Tasks{Active: m.Target, Standby: m.Streams.TargetStandby, Warmup: m.Streams.TargetWarmup},
			Streams:     m.Streams,
		})
	}
}
