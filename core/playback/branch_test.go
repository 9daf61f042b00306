package playback_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/coordinator"
	"groupscope/core/playback"
	"groupscope/core/protocol"
	"groupscope/core/sim"
)

func at(t *testing.T, rec *playback.Recording, step string) *playback.Player {
	t.Helper()
	p := playback.NewPlayer(rec)
	require.NoError(t, p.SeekStep(step))
	return p
}

func TestActingInThePastOpensABranchAndDeletesNothing(t *testing.T) {
	rec := example(t)
	p := at(t, rec, "K5")
	before := p.Stops()
	require.NoError(t, p.Do(sim.Crash{Member: "A"}))
	branches := p.Branches()
	require.Len(t, branches, 2)
	assert.Equal(t, playback.Branch{ID: "b1", Name: "A crashes at K5", Parent: playback.Main, Fork: 5, Stops: 7}, branches[1])
	assert.Equal(t, "b1", p.Branch())
	assert.Equal(t, "+1", p.Frame().Stop.Label)
	assert.Zero(t, p.Frame().Age, "what was done is seen in motion")
	main, err := rec.Stops(playback.Main)
	require.NoError(t, err)
	assert.Equal(t, before, main)
	assert.Equal(t, before[:6], p.Stops()[:6], "a branch begins as the main line does")
}

func TestActingAtTheHeadOfABranchGoesOnThere(t *testing.T) {
	p := at(t, example(t), "K5")
	require.NoError(t, p.Do(sim.Crash{Member: "A"}))
	require.NoError(t, p.Do(sim.Heartbeat{Member: "B"}))
	assert.Len(t, p.Branches(), 2)
	assert.Equal(t, "+2", p.Frame().Stop.Label)
	require.NoError(t, p.Seek(6))
	require.NoError(t, p.Do(sim.Leave{Member: "B"}))
	require.Len(t, p.Branches(), 3, "in its middle it forks again")
	assert.Equal(t, "B leaves at +1", p.Branches()[2].Name)
	assert.Equal(t, "b1", p.Branches()[2].Parent)
	assert.Equal(t, []string{"+1", "+2"}, labels(p)[6:])
}

func TestActingAtTheEndOfTheMainLineOpensABranch(t *testing.T) {
	p := playback.NewPlayer(example(t))
	p.End()
	require.NoError(t, p.Do(sim.Crash{Member: "A"}))
	assert.Equal(t, "A crashes at K13", p.Branches()[1].Name)
	assert.Len(t, p.Stops(), 15)
}

func TestTheSameActTwiceHasTwoNames(t *testing.T) {
	rec := example(t)
	for range 2 {
		require.NoError(t, at(t, rec, "K5").Do(sim.Crash{Member: "A"}))
	}
	assert.Equal(t, "A crashes at K5 (2)", rec.Branches()[2].Name)
}

func TestARefusedActionChangesNothingAndSaysWhy(t *testing.T) {
	p := at(t, example(t), "K5")
	was := still(p)
	for _, a := range []sim.Action{sim.Join{Member: "A"}, sim.Restart{Member: "A"}, sim.Crash{Member: "Z"}} {
		err := p.Do(a)
		require.Error(t, err)
		assert.NotEmpty(t, err.Error())
		assert.Error(t, p.Possible(a))
	}
	assert.Len(t, p.Branches(), 1)
	assert.Equal(t, was, still(p))
}

func TestARunThatIsTooLongIsRefused(t *testing.T) {
	p := at(t, example(t), "K13")
	var limit *playback.LimitError
	require.ErrorAs(t, p.Do(sim.Run{For: 1000 * protocol.Hour}), &limit)
	assert.Len(t, p.Branches(), 1)
}

func TestBranchesAreRenamedAndDeletedButNotMain(t *testing.T) {
	rec := example(t)
	p := at(t, rec, "K5")
	require.NoError(t, p.Do(sim.Crash{Member: "A"}))
	require.NoError(t, p.Do(sim.Heartbeat{Member: "B"}))
	require.NoError(t, p.Seek(6))
	require.NoError(t, p.Do(sim.Leave{Member: "B"}))
	require.NoError(t, p.Rename("b1", "The crash"))
	assert.Error(t, p.Rename("b2", "The crash"), "a name that is taken")
	assert.Error(t, p.Rename("b2", " "))
	assert.Error(t, p.Rename(playback.Main, "x"))
	assert.Error(t, p.Delete(playback.Main))
	assert.Error(t, p.Delete("b9"))
	was := still(p)
	require.NoError(t, p.Delete("b1"))
	assert.Equal(t, was, still(p), "a branch of a deleted branch stays whole")
	assert.Equal(t, playback.Main, p.Branches()[1].Parent)
	assert.Equal(t, 5, p.Branches()[1].Fork)
	require.NoError(t, p.Delete("b2"))
	assert.Equal(t, playback.Main, p.Branch())
	assert.Equal(t, "K5", p.Frame().Stop.Label, "deleting the branch on screen leads back to where it left")
}

func TestSwitchingKeepsTheStopThatBothHave(t *testing.T) {
	p := at(t, example(t), "K5")
	require.NoError(t, p.Do(sim.Crash{Member: "A"}))
	require.NoError(t, p.Switch(playback.Main))
	assert.Equal(t, "K5", p.Frame().Stop.Label, "+1 is on the branch only")
	require.NoError(t, p.SeekStep("K3"))
	require.NoError(t, p.Switch("b1"))
	assert.Equal(t, "K3", p.Frame().Stop.Label)
	assert.Error(t, p.Switch("b7"))
}

// end is what a branch comes to, without what only numbers its events.
func end(p *playback.Player) sim.State {
	p.End()
	s := *p.Frame().State
	s.Seq = 0
	s.Flying = slices.Clone(s.Flying)
	for i := range s.Flying {
		s.Flying[i].Event = 0
	}
	return s
}

// replayed opens a saved branch as a scenario of its own.
func replayed(t *testing.T, p *playback.Player) *playback.Player {
	t.Helper()
	src, err := p.Save()
	require.NoError(t, err)
	return playback.NewPlayer(record(t, string(src), p.Recording().Rules))
}

func TestBOwnsEverythingOnceACrashedAsTimersHaveEnded(t *testing.T) {
	p := at(t, example(t), "K5")
	require.NoError(t, p.Do(sim.Crash{Member: "A"}))
	require.NoError(t, p.Do(sim.Run{For: 60 * protocol.Second}))
	g := p.Frame().State.Group
	require.Len(t, g.Members, 1)
	assert.Equal(t, coordinator.Stable, g.State)
	assert.Equal(t, "B", g.Members[0].ID)
	assert.Len(t, g.Members[0].Assigned, 3)
	assert.Equal(t, "foo [0, 1, 2]", p.Frame().State.Clients[1].Owned.String(), "and reads it")
	assert.Equal(t, end(p), end(replayed(t, p)), "the saved file replays to the same end")
}

func TestASavedBranchReplaysToTheSameEnd(t *testing.T) {
	acts := map[string][]sim.Action{
		"S2": {sim.Join{Member: "C"}, sim.Run{For: 20 * protocol.Second}},
		"S3": {sim.LoseResponse{Member: "B", Count: 1}, sim.Run{For: 7 * protocol.Second}, sim.Advance{For: 50 * protocol.Second}, sim.Run{For: protocol.Minute}},
		"S6": {sim.FailOver{}, sim.Until{At: 300 * protocol.Second}},
	}
	rec := record(t, living, "kip")
	for step, todo := range acts {
		p := at(t, rec, step)
		for _, a := range todo {
			require.NoError(t, p.Do(a), "%s: %v", step, a)
		}
		assert.Equal(t, end(p), end(replayed(t, p)), step)
	}
}

func TestABranchFromInsideARunReplaysToTheSameEnd(t *testing.T) {
	for _, ruleSet := range []string{"kip", "kafka"} {
		rec := record(t, living, ruleSet)
		for i, s := range playback.NewPlayer(rec).Stops() {
			p := playback.NewPlayer(rec)
			require.NoError(t, p.Seek(i))
			if p.Possible(sim.Crash{Member: "B"}) != nil {
				continue
			}
			require.NoError(t, p.Do(sim.Crash{Member: "B"}), s.Label)
			require.NoError(t, p.Do(sim.Run{For: 3 * protocol.Second}))
			p.StepBy(-1)
			require.NoError(t, p.Do(sim.Restart{Member: "B"}), s.Label)
			require.NoError(t, p.Do(sim.Run{For: 70 * protocol.Second}))
			src, _ := p.Save()
			require.Equal(t, end(p), end(replayed(t, p)), "%s, %s\n%s", ruleSet, s.Label, src)
		}
	}
}

func TestActingBetweenTwoStopsBranchesAtTheInstantOnScreen(t *testing.T) {
	p := at(t, record(t, living, "kip"), "S4")
	p.Play()
	start := p.Frame().State.Start
	for p.Frame().Now.Sub(start) < 66*protocol.Second {
		p.Advance(5)
		require.Less(t, p.Stop(), p.Len()-1)
	}
	p.Pause()
	now := p.Frame().Now
	require.NoError(t, p.Do(sim.Crash{Member: "B"}))
	assert.Equal(t, now, p.Frame().Stop.At)
	assert.Contains(t, p.Branches()[1].Name, "B crashes after S4")
	assert.Equal(t, end(p), end(replayed(t, p)))
}

// TestASavedBranchHasTheStopsOfTheLiveOne: a link names a stop of a branch by
// its index, and carries the branch as a file.
func TestASavedBranchHasTheStopsOfTheLiveOne(t *testing.T) {
	p := playback.NewPlayer(example(t))
	require.NoError(t, p.SeekStep("K5"))
	for _, a := range []sim.Action{sim.Crash{Member: "A"}, sim.Run{For: 60_000}, sim.Run{For: 5_000}, sim.Restart{Member: "A"}, sim.Run{For: 60_000}} {
		require.NoError(t, p.Do(a))
	}
	live := p.Stops()
	src, err := p.Save()
	require.NoError(t, err)
	saved, err := record(t, string(src), "kip").Stops(playback.Main)
	require.NoError(t, err)
	require.Len(t, saved, len(live), "%s", src)
	for i := range live {
		assert.Equal(t, live[i].At, saved[i].At, "%s is %s", live[i].Label, saved[i].Label)
		assert.Equal(t, live[i].Event, saved[i].Event, "%s is %s", live[i].Label, saved[i].Label)
		assert.Equal(t, live[i].GroupEpoch, saved[i].GroupEpoch)
	}
}
