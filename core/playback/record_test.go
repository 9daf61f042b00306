package playback_test

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/playback"
	"groupscope/core/protocol"
	"groupscope/core/scenario"
	"groupscope/core/sim"
)

func TestStopsAreTheNamedStepsOfTheExample(t *testing.T) {
	p := playback.NewPlayer(example(t))
	assert.Equal(t, []string{"K0", "K1", "K2", "K3", "K4", "K5", "K6", "K7", "K8", "K9", "K10", "K11", "K12", "K13"}, labels(p))
	stops := p.Stops()
	assert.EqualValues(t, -1, stops[0].GroupEpoch, "there is no group yet")
	k5 := stops[5]
	assert.EqualValues(t, 2, k5.GroupEpoch)
	assert.EqualValues(t, 2, k5.AssignmentEpoch)
	assert.EqualValues(t, 1, k5.MinMemberEpoch)
	assert.EqualValues(t, 2, k5.MaxMemberEpoch)
	assert.Equal(t, "A is asked to give up foo-2. B waits.", k5.Say)
}

func TestARunStopsWhereSomethingChanged(t *testing.T) {
	p := playback.NewPlayer(record(t, living, "kip"))
	stops := p.Stops()
	assert.Equal(t, "0", stops[0].Label, "a start of our own, as the first step acts")
	inside := 0
	for i, s := range stops {
		require.Equal(t, i, s.Index)
		require.NoError(t, p.Seek(i))
		f := p.Frame()
		if i == 0 || s.Step != "" {
			continue
		}
		inside++
		assert.NotEmpty(t, s.Say, s.Label)
		changed := f.Changes.Any()
		for _, e := range f.Events {
			switch what := e.What.(type) {
			case sim.Handled:
				changed = changed || len(what.Records) > 0 || what.Response.Error != protocol.None
			case sim.Expired, sim.Called:
				changed = true
			}
		}
		assert.True(t, changed, "%s at %s: %s", s.Label, s.At.Sub(f.State.Start), s.Say)
	}
	assert.Greater(t, inside, 6)
	assert.Less(t, len(stops), 60, "idle heartbeats are no stops")
}

func TestAStopHasOneDecision(t *testing.T) {
	p := playback.NewPlayer(record(t, living, "kip"))
	for i, s := range p.Stops() {
		if s.Step != "" || i == 0 {
			continue
		}
		require.NoError(t, p.Seek(i))
		decisions := 0
		for _, e := range p.Frame().Events {
			switch what := e.What.(type) {
			case sim.Handled:
				if len(what.Records) > 0 && what.Request.MemberEpoch != 0 {
					decisions++
				}
			case sim.Expired:
				decisions++
			}
		}
		assert.LessOrEqual(t, decisions, 1, s.Label)
	}
}

func TestAStepThatIsNotPossibleNamesItsPlace(t *testing.T) {
	const src = `
groupscope: 1
title: Not possible
protocol: consumer
rules: kip
topics: {foo: 1}
members: {A: {subscribe: [foo]}}
steps:
  - {step: a, join: A}
  - {step: b, join: A}
`
	sc, mistakes := scenario.Parse("x.yaml", []byte(src))
	require.Empty(t, mistakes)
	_, err := playback.Record(sc, "kip")
	var step *playback.StepError
	require.ErrorAs(t, err, &step)
	assert.Equal(t, 1, step.Step)
	assert.Equal(t, 10, sc.Refusal(step.Step, step.Action, step.Err).Line)
}

func TestAStateIsFoundByEventAndByInstant(t *testing.T) {
	rec := record(t, living, "kip")
	p := playback.NewPlayer(rec)
	for i, s := range p.Stops() {
		require.NoError(t, p.Seek(i))
		at, err := rec.StateAt(playback.Main, s.Event)
		require.NoError(t, err)
		assert.Equal(t, p.Frame().State.Group, at.Group, s.Label)
	}
	last := p.Stops()[p.Len()-1]
	when, err := rec.StateWhen(playback.Main, last.At)
	require.NoError(t, err)
	assert.Equal(t, p.Frame().State.Group.GroupEpoch, when.Group.GroupEpoch)
	early, err := rec.StateWhen(playback.Main, p.Frame().State.Start)
	require.NoError(t, err)
	assert.Len(t, early.Group.Members, 2, "A and B join at the start")
}

// heap is how much a recording keeps.
func heap(t *testing.T, src string) (int, *playback.Recording) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	rec := record(t, src, "kip")
	runtime.GC()
	runtime.ReadMemStats(&after)
	return int(after.HeapAlloc) - int(before.HeapAlloc), rec
}

func TestARecordingGrowsWithWhatChanged(t *testing.T) {
	// Ten minutes against one: nothing more changes, there are only idle
	// heartbeats, 12 a minute and member.
	const members, partitions = 20, 100
	short, a := heap(t, crowd(members, partitions, 60*protocol.Second))
	long, b := heap(t, crowd(members, partitions, 600*protocol.Second))
	more := float64(members * 12 * 9)
	t.Logf("%.0f bytes for each idle heartbeat, %d snapshots", float64(long-short)/more, playback.Snapshots(b))
	assert.Less(t, float64(long-short)/more, 1000.0, "bytes for each idle heartbeat")
	pa, pb := playback.NewPlayer(a), playback.NewPlayer(b)
	assert.Equal(t, pa.Len(), pb.Len(), "nor are there more stops")
	ea, _ := pa.Totals()
	eb, _ := pb.Totals()
	assert.GreaterOrEqual(t, eb-ea, int(more)*3, "though each heartbeat is a request, its handling and an answer")
	assert.LessOrEqual(t, playback.Snapshots(b)-playback.Snapshots(a), (eb-ea)/(3*256)+1, "a copy of the world for 256 heartbeats at most")
}

func TestGoingAnywhereRepeatsABoundedNumberOfEvents(t *testing.T) {
	// A heartbeat is three events and weighs 4; a copy is due after 1024, or
	// when all members had a heartbeat.
	for _, c := range []struct{ members, partitions, most int }{{5, 10, 3 * 256}, {50, 2000, 3 * 256}, {300, 600, 3 * (300 + 600/8/4)}} {
		rec := record(t, crowd(c.members, c.partitions, 200*protocol.Second), "kip")
		assert.LessOrEqual(t, playback.MostRepeated(rec), c.most+3*c.members, "%d members, each with a heartbeat on its way", c.members)
	}
}
