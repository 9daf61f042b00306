package client

// State is the member's state in the Java client.
type State uint8

// The states, and three of our own: Absent before Start, and Closed, Crashed
// when the client is no more.
const (
	Absent State = iota
	Unsubscribed
	Joining
	Reconciling
	Acknowledging
	Stable
	PrepareLeaving
	Leaving
	Fenced
	Stale
	Fatal
	Closed
	Crashed
)

var stateNames = [...]string{
	"ABSENT", "UNSUBSCRIBED", "JOINING", "RECONCILING", "ACKNOWLEDGING", "STABLE",
	"PREPARE_LEAVING", "LEAVING", "FENCED", "STALE", "FATAL", "CLOSED", "CRASHED",
}

// String is the Java client's word for the state.
func (s State) String() string { return stateNames[s] }

// InGroup reports whether the client counts itself as a member, or is on its
// way in or out.
func (s State) InGroup() bool {
	return s.in(Joining, Reconciling, Acknowledging, Stable, PrepareLeaving, Leaving)
}

// atOnce are the states in which a heartbeat waits neither for the interval
// nor for the backoff.
func (s State) atOnce() bool { return s.in(Joining, Acknowledging, Leaving) }

// takesAssignments are the states in which a received assignment counts.
func (s State) takesAssignments() bool { return s.in(Joining, Reconciling, Acknowledging, Stable) }

func (s State) in(states ...State) bool {
	for _, o := range states {
		if s == o {
			return true
		}
	}
	return false
}
