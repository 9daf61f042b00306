// Package explore walks everything that may happen in a small world: each
// order in which messages arrive, each loss, each passing of a timer. It goes
// breadth-first and knows a state again by its bytes (package canon), so the
// shortest way to a broken invariant is found first, and a world without one
// is proven to have none within the bounds.
//
// Time passes from one timer to the next. At one instant the timers that are
// due come first; then messages arrive in any order; and only when all have,
// or got lost, time may pass on. A request that is still on its way when time
// passes is late: that is a fault, as is a loss. All clients have the same
// phase, since that leaves the most orders open. What is not walked: callbacks
// that take other times than the file says, phases of timers against each
// other, and members in each other's place (their names decide ties of the
// assignors, so they are not alike).
package explore
