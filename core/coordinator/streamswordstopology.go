package coordinator

import (
	"fmt"

	"groupscope/core/protocol"
)

// The texts about a topology and its topics.

func textTopologyTaken(sent *protocol.Topology) string {
	return fmt.Sprintf("The group had no topology. The one sent becomes the group's, at topology epoch %d.", sent.Epoch)
}

func textTopologyBehind(id string, sent, group *protocol.Topology) string {
	return fmt.Sprintf("%s sent topology epoch %d. The group is at topology epoch %d already.", id, sent.Epoch, group.Epoch)
}

func textTopologyConflict(id string, group *protocol.Topology) string {
	return fmt.Sprintf("%s sent another topology under the group's topology epoch %d.", id, group.Epoch)
}

func textTopologyAhead(id string, sent, group *protocol.Topology) string {
	return fmt.Sprintf("%s sent topology epoch %d. The next one of the group is %d.", id, sent.Epoch, group.Epoch+1)
}

func textNoUpdate(id string, sent, group *protocol.Topology) string {
	return fmt.Sprintf("%s sent topology epoch %d. The group stays at %d: a topology cannot be updated.", id, sent.Epoch, group.Epoch)
}

func textTopologyUpdate(id string, sent, group *protocol.Topology) string {
	return fmt.Sprintf("%s brings topology epoch %d, the next after %d. It becomes the group's; members with an older one keep what they have.",
		id, sent.Epoch, group.Epoch)
}

// textTold adds to the reason of a status who is told it.
func textTold(why, id string, code protocol.StatusCode) string {
	return why + " " + id + " is told " + code.String() + "."
}

func textStale(id string, epoch, group int32) string {
	return fmt.Sprintf("%s runs topology epoch %d, the group is at %d.", id, epoch, group)
}

func textValidated(t *protocol.Topology, validated int32) string {
	if validated < 0 {
		return fmt.Sprintf("topology %d cannot run", t.Epoch)
	}
	return fmt.Sprintf("topology %d is ready to run", t.Epoch)
}
