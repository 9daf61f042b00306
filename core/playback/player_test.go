package playback_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/playback"
	"groupscope/core/protocol"
)

// still is a settled frame without its functions, which do not compare.
func still(p *playback.Player) playback.Frame {
	f := *p.Frame()
	f.LabelAt, f.ReleasedAt = nil, nil
	if len(f.Pulses) == 0 {
		f.Pulses = nil
	}
	return f
}

func settle(p *playback.Player) {
	for p.Moving() && !p.Playing() {
		p.Advance(16)
	}
}

func TestSteppingToTheEndAndBackGivesTheSameFrames(t *testing.T) {
	for _, rec := range []*playback.Recording{example(t), record(t, living, "kip"), record(t, living, "kafka")} {
		p := playback.NewPlayer(rec)
		var there []playback.Frame
		for {
			settle(p)
			there = append(there, still(p))
			if p.AtEnd() {
				break
			}
			p.StepBy(1)
		}
		for i := len(there) - 1; i >= 0; i-- {
			require.Equal(t, there[i], still(p), "stop %d, %s", i, there[i].Stop.Label)
			p.StepBy(-1)
		}
		assert.Zero(t, p.Stop())
	}
}

func TestSeekingEqualsStepping(t *testing.T) {
	rec := record(t, living, "kip")
	stepped, sought := playback.NewPlayer(rec), playback.NewPlayer(rec)
	n := stepped.Len()
	var there []playback.Frame
	for range n {
		settle(stepped)
		there = append(there, still(stepped))
		stepped.StepBy(1)
	}
	for i := range n {
		to := i * 7 % n // here and there
		require.NoError(t, sought.Seek(to))
		require.Equal(t, there[to], still(sought), there[to].Stop.Label)
	}
}

func TestPlayingToTheEndGivesTheFramesOfStepping(t *testing.T) {
	rec := record(t, living, "kip")
	played, sought := playback.NewPlayer(rec), playback.NewPlayer(rec)
	played.Play()
	seen, same := map[int]bool{}, map[int]bool{}
	for played.Playing() {
		require.NoError(t, sought.Seek(played.Stop()))
		f, g := played.Frame(), sought.Frame()
		if f.State.Seq == g.State.Seq && f.Now == g.Now {
			require.Equal(t, g.State, f.State, f.Stop.Label)
			same[f.Stop.Index] = true
		}
		require.Equal(t, g.Changes, f.Changes)
		require.GreaterOrEqual(t, f.Now, f.State.At, "what is shown has happened")
		seen[f.Stop.Index] = true
		played.Advance(16)
	}
	assert.Len(t, seen, played.Len()-1, "playing shows each stop, and ends at the last")
	assert.Equal(t, seen, same, "and each one as it is")
	settle(played)
	require.NoError(t, sought.Seek(played.Stop()))
	assert.Equal(t, still(sought), still(played))
}

func TestASettledPlayerDoesNotMove(t *testing.T) {
	p := playback.NewPlayer(example(t))
	assert.False(t, p.Moving())
	require.NoError(t, p.SeekStep("K5"))
	assert.False(t, p.Moving(), "a jump is not a motion")
	assert.Equal(t, playback.Settled, p.Frame().Age)
	p.StepBy(1)
	assert.True(t, p.Moving(), "a step forward is")
	assert.Zero(t, p.Frame().Age)
	p.Advance(100)
	assert.EqualValues(t, 100, p.Frame().Age)
	settle(p)
	assert.Equal(t, playback.Settled, p.Frame().Age)
	p.StepBy(-1)
	assert.False(t, p.Moving(), "a step back is not")
}

func TestAGapAfterSleepDoesNotJump(t *testing.T) {
	p := playback.NewPlayer(example(t))
	p.Play()
	p.Advance(3_600_000)
	assert.Zero(t, p.Stop(), "an hour asleep is a tenth of a second")
}

func TestPlayingStaysLongerWhereThereIsMoreToRead(t *testing.T) {
	const src = `
groupscope: 1
title: Words
protocol: consumer
rules: kip
topics: {foo: 1}
members: {A: {subscribe: [foo]}}
steps:
  - {step: start, say: "Where playing begins there was time to read before."}
  - {step: a, say: Short.}
  - {step: b, join: A, say: "A long text, which takes a while to read, and which goes on for some more words yet."}
  - {step: c, heartbeat: A}
  - {step: d, heartbeat: A}
`
	p := playback.NewPlayer(record(t, src, "kip"))
	p.Play()
	took := map[string]int{}
	for p.Playing() {
		took[p.Frame().Stop.Label] += 10
		p.Advance(10)
	}
	assert.Equal(t, 700, took["start"])
	assert.Equal(t, 1600, took["a"])
	assert.Greater(t, took["b"], 2500)
	assert.LessOrEqual(t, took["b"], 4000)
	assert.Equal(t, 900, took["c"], "words of ours are for looking up, not for reading along")
}

func TestTimeTravelsBetweenStopsInAboutASecond(t *testing.T) {
	p := playback.NewPlayer(record(t, living, "kip"))
	require.NoError(t, p.SeekStep("S5"))
	p.Play()
	from := p.Frame().Now
	var instants []protocol.Instant
	for p.Frame().Stop.Step == "S5" {
		p.Advance(16)
		if now := p.Frame().Now; now != from && p.Frame().Stop.Step == "S5" {
			instants = append(instants, now)
		}
	}
	require.NotEmpty(t, instants, "the clock is seen running")
	assert.IsIncreasing(t, instants)
	assert.Less(t, len(instants)*16, 1300)
}

func TestSteppingBackFromBetweenTwoStopsLeadsToTheOneBefore(t *testing.T) {
	p := playback.NewPlayer(record(t, living, "kip"))
	require.NoError(t, p.SeekStep("S5"))
	was := still(p)
	p.Play()
	for p.Frame().Now == was.Now {
		p.Advance(16)
	}
	p.Pause()
	require.Equal(t, "S5", p.Frame().Stop.Step)
	between := still(p)
	p.Advance(16)
	assert.Equal(t, between.Now, p.Frame().Now, "paused, time stands still there")
	p.StepBy(-1)
	assert.Equal(t, was, still(p))
}

func TestIdleHeartbeatsPulseOnTheWay(t *testing.T) {
	p := playback.NewPlayer(record(t, living, "kip"))
	p.Play()
	pulsed := map[string]bool{}
	for p.Playing() {
		for _, pulse := range p.Frame().Pulses {
			pulsed[pulse.Member] = true
			assert.Less(t, pulse.Age, playback.PulseTime)
		}
		p.Advance(16)
	}
	assert.Equal(t, map[string]bool{"A": true, "B": true, "C": true}, pulsed)
}

func TestAPauseStepStopsPlaying(t *testing.T) {
	const src = `
groupscope: 1
title: A pause
protocol: consumer
rules: kip
topics: {foo: 1}
members: {A: {subscribe: [foo]}}
steps:
  - {step: a, say: Begin.}
  - {step: b, join: A, pause: true}
  - {step: c, heartbeat: A}
`
	p := playback.NewPlayer(record(t, src, "kip"))
	p.Play()
	for p.Playing() {
		p.Advance(50)
	}
	assert.Equal(t, "b", p.Frame().Stop.Step)
	p.Play()
	for p.Playing() {
		p.Advance(50)
	}
	assert.Equal(t, "c", p.Frame().Stop.Step, "play goes on from there")
	assert.True(t, p.AtEnd())
	p.Play()
	assert.Equal(t, "a", p.Frame().Stop.Step, "and from the end starts again")
}

func TestSpeedIsHeldInItsBounds(t *testing.T) {
	p := playback.NewPlayer(example(t))
	assert.Error(t, p.SetSpeed(0))
	assert.Error(t, p.SetSpeed(16))
	require.NoError(t, p.SetSpeed(8))
	p.Play()
	for p.Stop() == 0 {
		p.Advance(16)
	}
	assert.Equal(t, playback.Settled, p.Frame().Age, "above four times the pace nothing moves")
}

func TestAFrameInWhichOnlyTheClockMovedAllocatesNothing(t *testing.T) {
	p := playback.NewPlayer(record(t, living, "kip"))
	require.NoError(t, p.SeekStep("S3"))
	p.Play()
	assert.Zero(t, testing.AllocsPerRun(40, func() {
		p.Advance(4)
		_ = p.Frame()
		_ = p.Moving()
	}))
	p.Pause()
	require.NoError(t, p.SeekStep("S5"))
	p.Play()
	for p.Frame().Now == p.Frame().Stop.At {
		p.Advance(16)
	}
	assert.Zero(t, testing.AllocsPerRun(1, func() { p.Advance(1) }), "nor on the way between two stops")
}

func TestAnUnknownStepNamesTheStepsThereAre(t *testing.T) {
	p := playback.NewPlayer(example(t))
	require.NoError(t, p.SeekStep("K7"))
	err := p.SeekStep("K15")
	require.Error(t, err)
	assert.Contains(t, err.Error(), "K0, K1, K2")
	assert.Contains(t, err.Error(), "K13")
	assert.Equal(t, "K7", p.Frame().Stop.Label, "and the place stays")
}

func TestAPartitionWithoutAnOwnerNamesTheStepThatReleasedIt(t *testing.T) {
	p := playback.NewPlayer(example(t))
	require.NoError(t, p.SeekStep("K6"))
	f := p.Frame()
	require.Len(t, f.State.Unowned, 1)
	assert.Equal(t, "K6", f.ReleasedAt(f.State.Unowned[0].Partition), "although K0 to K13 share one instant")
	require.NoError(t, p.SeekStep("K0"))
	assert.Empty(t, f.ReleasedAt(protocol.Partition{Topic: "foo", Number: 2}))
}
