package explore

import (
	"fmt"
	"slices"
	"strings"

	"groupscope/core/sim"
)

// Excepted is something that may break without ending an exploration.
type Excepted struct {
	Name   string // of an invariant, or NeverSettles
	States int    // the number of states in which it is broken
}

// Names are all that an exploration watches: the invariants, and NeverSettles.
func Names() []string {
	var out []string
	for _, inv := range sim.Invariants {
		out = append(out, inv.Name)
	}
	return append(out, NeverSettles)
}

// exceptions takes in the names that are excepted.
func (x *Explorer) exceptions(names []string) error {
	for _, name := range names {
		if !slices.Contains(Names(), name) {
			return fmt.Errorf("no such invariant: %s. There are %s", name, strings.Join(Names(), ", "))
		}
		if x.exception(name) == nil {
			x.excepted = append(x.excepted, Excepted{Name: name})
		}
	}
	return nil
}

// exception is the count of what is excepted by a name; nil if it is not.
func (x *Explorer) exception(name string) *Excepted {
	for i := range x.excepted {
		if x.excepted[i].Name == name {
			return &x.excepted[i]
		}
	}
	return nil
}

// check looks at a state that was not seen before: it counts what is excepted,
// and is the first violation that is not. The log is replayed if the move
// there wrote to it.
func (x *Explorer) check(w *sim.World, wrote bool) *sim.Violation {
	all := w.Violations()
	if wrote {
		if v := w.Replay(); v != nil {
			all = append(slices.Clip(all), *v)
		}
	}
	for i, v := range all {
		e := x.exception(v.Invariant)
		if e == nil {
			return &all[i]
		}
		if !slices.ContainsFunc(all[:i], func(o sim.Violation) bool { return o.Invariant == v.Invariant }) {
			e.States++
		}
	}
	return nil
}

// rests reports whether a group is at rest, whatever excepted invariants are
// broken.
func (x *Explorer) rests(w *sim.World) bool { return x.unrest(w) == "" }

// unrest says what keeps a group from being at rest.
func (x *Explorer) unrest(w *sim.World) string { return w.Unsettled(x.options.Except...) }
