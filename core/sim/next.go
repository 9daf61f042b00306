package sim

import "groupscope/core/protocol"

// Next is the instant of the next thing up to the horizon, so that a player
// can let the clock run towards it. False: there is none, and Step would put
// the clock at the horizon.
func (w *World) Next() (protocol.Instant, bool) {
	n := w.nextThing()
	if n.kind == nothingLeft || n.at > w.horizon {
		return 0, false
	}
	return n.at, true
}
