package playback_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/playback"
	"groupscope/core/protocol"
	"groupscope/core/sim"
)

func TestWhatWasDoneByHandBelongsToItsBranch(t *testing.T) {
	rec := example(t)
	p := at(t, rec, "K5")
	assert.Empty(t, p.Acts(), "the script is not done by hand")
	require.NoError(t, p.Do(sim.Crash{Member: "A"}))
	require.NoError(t, p.Do(sim.Heartbeat{Member: "B"}))
	crash := playback.Act{Stop: 5, Label: "K5", Action: sim.Crash{Member: "A"}}
	assert.Equal(t, []playback.Act{crash, {Stop: 6, Label: "+1", Action: sim.Heartbeat{Member: "B"}}}, p.Acts())
	require.NoError(t, p.Seek(6))
	assert.Len(t, p.Acts(), 2, "of the branch, wherever the viewer stands on it")
	require.NoError(t, p.Do(sim.Leave{Member: "B"}))
	assert.Equal(t, []playback.Act{crash, {Stop: 6, Label: "+1", Action: sim.Leave{Member: "B"}}}, p.Acts())
	require.NoError(t, p.Delete("b1"))
	assert.Len(t, p.Acts(), 2, "inherited acts outlive the branch they were done on")
	require.NoError(t, p.Switch(playback.Main))
	assert.Empty(t, p.Acts())
}

func TestAnInheritedRunIsAsLongAsTheBranchHoldsIt(t *testing.T) {
	rec := example(t)
	p := at(t, rec, "K5")
	require.NoError(t, p.Do(sim.Crash{Member: "A"}))
	require.NoError(t, p.Do(sim.Run{For: 60 * protocol.Second}))
	run, start := p.Acts()[1], p.Frame().State.Start
	assert.Equal(t, sim.Run{For: 60 * protocol.Second}, run.Action)
	require.Greater(t, p.Stop(), 8, "there are stops inside the run")
	require.NoError(t, p.Seek(7))
	began := p.Stops()[6].At
	inside := p.Frame().Stop.At
	require.Less(t, inside.Sub(start), p.Stops()[len(p.Stops())-1].At.Sub(start))
	require.NoError(t, p.Do(sim.Leave{Member: "B"}))
	assert.Equal(t, sim.Run{For: inside.Sub(began)}, p.Acts()[1].Action)
	assert.Equal(t, playback.Act{Stop: 7, Label: p.Stops()[7].Label, Action: sim.Leave{Member: "B"}}, p.Acts()[2])
}

func TestARunCutBetweenTwoStopsIsOneAct(t *testing.T) {
	p := at(t, example(t), "K5")
	require.NoError(t, p.Do(sim.Crash{Member: "A"}))
	require.NoError(t, p.Do(sim.Run{For: 60 * protocol.Second}))
	require.NoError(t, p.Seek(7))
	began := p.Stops()[6].At
	p.Play()
	for p.Frame().Now < p.Stops()[7].At.Add(protocol.Second) {
		p.Advance(5)
		require.Equal(t, 7, p.Stop())
	}
	p.Pause()
	now := p.Frame().Now
	require.NoError(t, p.Do(sim.Leave{Member: "B"}))
	acts := p.Acts()
	require.Len(t, acts, 3)
	assert.Equal(t, sim.Run{For: now.Sub(began)}, acts[1].Action)
	assert.Equal(t, sim.Leave{Member: "B"}, acts[2].Action)
	require.NoError(t, p.Do(sim.Run{For: protocol.Second}))
	assert.Equal(t, end(p), end(replayed(t, p)))
}
