package explore

import (
	"fmt"
	"slices"

	"groupscope/core/scenario"
	"groupscope/core/sim"
)

// Start is where an exploration begins.
type Start struct {
	// World is without jitter in the backoffs of clients, so that equal states
	// meet again; AsIs is the same world as the scenario makes it.
	World, AsIs *sim.World
	Deeds       []sim.Action // what is left to be done, at any moment
	Kept        int          // the number of steps that were carried out
}

// Begin carries out a scenario under a rule set up to and including a step, ""
// for none. Of the steps that follow, the deeds count: who joins, leaves,
// crashes, which topics change. When each is done is open; so running,
// heartbeats and what happens to messages are passed over.
func Begin(sc *scenario.Scenario, ruleSet, step string) (*Start, error) {
	kept := 0
	if step != "" {
		i := slices.IndexFunc(sc.Steps, func(s scenario.Step) bool { return s.Name == step })
		if i < 0 {
			return nil, fmt.Errorf("%s has no step %s", sc.File, step)
		}
		kept = i + 1
	}
	setup := sc.Setup(ruleSet)
	asIs, err := carryOut(sc, setup, kept)
	if err != nil {
		return nil, err
	}
	setup.Jitter = false
	world, err := carryOut(sc, setup, kept)
	if err != nil {
		return nil, err
	}
	out := &Start{World: world, AsIs: asIs, Kept: kept}
	for _, s := range sc.Steps[kept:] {
		for _, a := range s.Do {
			if isDeed(a) {
				out.Deeds = append(out.Deeds, a)
			}
		}
	}
	return out, nil
}

// carryOut makes a world and does the first steps of a scenario in it.
func carryOut(sc *scenario.Scenario, setup sim.Setup, steps int) (*sim.World, error) {
	world, err := sim.New(setup)
	if err != nil {
		return nil, fmt.Errorf("scenario %s: %w", sc.Name, err)
	}
	for i := range sc.Steps[:steps] {
		for j, a := range sc.Steps[i].Do {
			if _, err := world.Do(a); err != nil {
				return nil, fmt.Errorf("%v", sc.Refusal(i, j, err))
			}
			world.Settle()
		}
	}
	return world, nil
}

func isDeed(a sim.Action) bool {
	switch a.(type) {
	case sim.Run, sim.Until, sim.Advance, sim.Heartbeat, sim.LoseRequest, sim.LoseResponse, sim.Delay, sim.Duplicate, sim.Describe:
		return false
	}
	return true
}
