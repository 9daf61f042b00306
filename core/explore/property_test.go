package explore

import (
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"groupscope/core/scenario"
	"groupscope/core/streamsgroup"
)

// few has a property checked a few times, on the same worlds at any time,
// unless the command line says otherwise, and a fifth of that with -short:
// go test ./core/explore -run Random -rapid.checks=20000.
func few(t *testing.T, checks int, property func(*rapid.T)) {
	if !givenByHand() {
		for name, value := range map[string]string{"rapid.checks": fmt.Sprint(checks), "rapid.seed": "1"} {
			before := flag.Lookup(name).Value.String()
			defer func() { _ = flag.Set(name, before) }()
			_ = flag.Set(name, value)
		}
	}
	rapid.Check(t, property)
}

// givenByHand reports whether the command line says how often properties are
// checked, or with which worlds.
var givenByHand = sync.OnceValue(func() bool {
	given := false
	flag.Visit(func(f *flag.Flag) { given = given || f.Name == "rapid.checks" || f.Name == "rapid.seed" })
	return given
})

// small is a small world to explore.
type small struct {
	text    string
	rules   string
	streams bool
	options Options
}

// drawing writes the scenario of a random world.
type drawing struct {
	*rapid.T
	strings.Builder
}

func (d *drawing) line(format string, args ...any) { fmt.Fprintf(d, format+"\n", args...) }

// one of some texts; the first is the simplest.
func (d *drawing) one(what string, of ...string) string { return rapid.SampledFrom(of).Draw(d.T, what) }

// drawSmall draws a world of up to 3 members. Each of them has the extra
// settings, such as quirks.
func drawSmall(t *rapid.T, streams bool, least int, extra ...string) small {
	d := &drawing{T: t}
	out := small{rules: d.one("rules", "kafka", "kip"), streams: streams}
	out.options.Faults = rapid.IntRange(0, 1).Draw(t, "faults")
	out.options.States = rapid.SampledFrom([]int{200, 500, 2000}).Draw(t, "states")
	out.options.Kinds = []Fault{rapid.SampledFrom(Faults).Draw(t, "kind")}
	members := "ABC"[:rapid.IntRange(least, 3).Draw(t, "members")]
	d.line("groupscope: 1\ntitle: random\nrules: [kafka, kip]")
	if streams {
		d.streamsHead()
	} else {
		d.line("topics: {foo: %s, bar: 1}", d.one("partitions", "1", "2", "3"))
	}
	d.line("members:")
	for _, m := range members {
		d.line("  %c: {%s}", m, d.member(string(m), streams, extra))
	}
	d.line("steps:")
	for _, m := range members {
		d.line("  - join: %c", m)
	}
	if deed := d.one("deed", "", "", "leave: A", "crash: A", "topics: {foo: 3}"); deed != "" {
		d.line("  - %s", deed)
	}
	out.text = d.String()
	return out
}

func (d *drawing) streamsHead() {
	d.line("protocol: streams")
	d.line("config: {group.streams.initial.rebalance.delay.ms: %s, group.streams.num.standby.replicas: %s, group.streams.num.warmup.replicas: %s}",
		d.one("delay", "0", "3000"), d.one("standbys", "0", "1"), d.one("warm-ups", "2", "1"))
	d.line("topics: {foo: %s}", d.one("tasks", "1", "2", "3"))
	d.line("topology: {subtopologies: {0: {source: [foo]%s}}}", d.one("state", "", ", changelog: [counts]"))
}

// member draws the settings of a member.
func (d *drawing) member(name string, streams bool, extra []string) string {
	var out []string
	autoCommit := ""
	if streams {
		out = append(out, "process: "+d.one("process", "p1", "p2"))
	} else {
		out = append(out, "subscribe: "+d.one("subscribe", "[foo]", "[foo]", "[foo, bar]", "[bar]"))
		autoCommit = d.one("auto-commit", "", "", "auto-commit: true")
	}
	for _, setting := range []string{
		d.one("instance", "", "", "", "instance: "+name), d.one("revoke-time", "", "", "revoke-time: 500ms", "revoke-time: 8s"),
		d.one("rebalance-timeout", "", "", "rebalance-timeout: 20s"), autoCommit,
	} {
		key, _, _ := strings.Cut(setting, ":")
		if setting != "" && !slices.ContainsFunc(extra, func(e string) bool { return strings.HasPrefix(e, key) }) {
			out = append(out, setting)
		}
	}
	return strings.Join(append(out, extra...), ", ")
}

// walk explores the world. The change is told of the scenario, and then of its
// explorer.
func (s *small) walk(t *rapid.T, change func(*scenario.Scenario, *Explorer)) (*Explorer, *scenario.Scenario, *Start) {
	sc, faults := scenario.Parse("random.yaml", []byte(s.text))
	if len(faults) > 0 {
		t.Fatalf("%s%v", s.text, faults)
	}
	change(sc, nil)
	start, err := Begin(sc, s.rules, "")
	if err != nil {
		t.Fatalf("%s%v", s.text, err)
	}
	x, err := New(start.World, start.Deeds, s.options)
	if err != nil {
		t.Fatalf("%s%v", s.text, err)
	}
	change(sc, x)
	for x.Next() {
	}
	return x, sc, start
}

// asItIs changes nothing.
func asItIs(*scenario.Scenario, *Explorer) {}

// patientWithStreams excepts that a streams group may not settle after a
// fault: what a lost answer took nobody tells its client again.
func (s *small) patientWithStreams() {
	if s.streams && s.options.Faults > 0 {
		s.options.Except = []string{NeverSettles}
	}
}

func TestRandomWorldsBreakNothing(t *testing.T) {
	for _, streams := range []bool{false, true} {
		few(t, 40, func(t *rapid.T) {
			world := drawSmall(t, streams, 1)
			world.patientWithStreams()
			x, sc, start := world.walk(t, asItIs)
			x.Settle()
			if found := x.Found(); found != nil {
				text := fmt.Sprint(x.Words())
				if actions, err := x.Script(start.AsIs); err == nil {
					text = string(x.Scenario(sc, world.rules, 0, actions))
				}
				t.Fatalf("under %s with %+v: %s: %s\n%s\n%s", world.rules, world.options, found.Violation.Invariant, found.Violation.Text, world.text, text)
			}
		})
	}
}

// TestRandomFindingsAreScenariosThatShowThem: of clients with faults of their
// own, and of a coordinator with a rule broken on purpose.
func TestRandomFindingsAreScenariosThatShowThem(t *testing.T) {
	checks := 20
	if testing.Short() {
		checks = 10 // rapid makes a fifth of it
	}
	found := 0
	for _, c := range []struct {
		streams bool
		extra   []string
		rule    streamsgroup.Mutation
		faults  int // 0: as drawn
	}{
		{extra: []string{"revoke-time: 8s", "quirks: [acknowledges-before-revoking]"}},
		{extra: []string{"quirks: [bare-heartbeat-after-lost-response]"}, faults: 1},
		{streams: true, rule: streamsgroup.GrantsHeldTasks},
	} {
		few(t, checks, func(t *rapid.T) {
			world := drawSmall(t, c.streams, 2, c.extra...)
			if c.faults > 0 {
				world.options.Faults, world.options.Kinds = c.faults, []Fault{Lose}
			}
			world.patientWithStreams()
			x, sc, start := world.walk(t, func(sc *scenario.Scenario, x *Explorer) {
				if x == nil {
					breakRule(sc, c.rule)
				}
			})
			x.Settle()
			if x.Found() == nil {
				return
			}
			found++
			actions, err := x.Script(start.AsIs)
			if err != nil {
				t.Fatalf("%v: %v\nunder %s with %+v\n%s\n%q", err, x.Found().Violation, world.rules, world.options, world.text, x.Words())
			}
			text := x.Scenario(sc, world.rules, 0, actions)
			again, faults := scenario.Parse("written.yaml", text)
			if len(faults) > 0 {
				t.Fatalf("%s%v", text, faults)
			}
			breakRule(again, c.rule)
			outcome, err := scenario.Run(again, world.rules)
			if err != nil || !outcome.Passed() {
				t.Fatalf("%s%v %v %v", text, err, outcome.Unmet, outcome.Refusal)
			}
		})
	}
	if found == 0 {
		t.Error("none of the worlds breaks")
	}
	t.Logf("%d worlds break", found)
}

// TestRandomWorldsLoseNothingByTheReduction: the states in which the group is
// at rest are the same, walked in every order of answers or not.
func TestRandomWorldsLoseNothingByTheReduction(t *testing.T) {
	for _, streams := range []bool{false, true} {
		few(t, 30, func(t *rapid.T) {
			world := drawSmall(t, streams, 1)
			world.options.States = 2000
			some, _, _ := world.walk(t, asItIs)
			if some.full {
				return // what was left out may be beyond the limit
			}
			world.options.States = 20_000
			all, _, _ := world.walk(t, func(_ *scenario.Scenario, x *Explorer) {
				if x != nil {
					x.whole = true
				}
			})
			if all.full || some.Found() != nil || all.Found() != nil {
				t.Fatalf("full: %v, found: %v, %v\nunder %s with %+v\n%s", all.full, some.Found(), all.Found(), world.rules, world.options, world.text)
			}
			if a, b := all.atRest(), some.atRest(); !maps.Equal(a, b) {
				t.Fatalf("%d states at rest, %d of them found\nunder %s with %+v\n%s", len(a), len(b), world.rules, world.options, world.text)
			}
		})
	}
}

// atRest are the states in which the group is at rest, by hash.
func (x *Explorer) atRest() map[uint64]bool {
	out := map[uint64]bool{}
	for i, state := range x.table.states {
		if state != 0 && x.nodes[state-1].rests {
			out[x.table.hashes[i]] = true
		}
	}
	return out
}
