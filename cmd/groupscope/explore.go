package main

import (
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"groupscope/core/explore"
	"groupscope/core/protocol"
	"groupscope/core/scenario"
	"groupscope/core/sim"
)

var exploreCommand = command{
	name:  "explore",
	args:  "[flags] FILE",
	short: "walk everything that may happen in a small world",
	long: `Takes the world of a scenario, and what is done in it (who joins, leaves,
crashes, which topics change), and walks everything that may happen: each order
in which messages arrive, each moment for each deed, each loss, each passing of
a timer; breadth-first, a state that is known already counts once. From each
state it looks whether the group comes to rest once nothing goes wrong any more.

When an invariant breaks, or a group never settles, it prints the shortest way
there as a scenario that plays. The exit code is then 1; it is 0 when nothing
was found, even if a limit ended the walk, and 2 when it could not begin.

With -except it goes on past what is known to break, and says in how many
states it did. It can be told any of: ` + strings.Join(explore.Names(), ", ") + `.

Kinds of faults: ` + kindWords() + `.
`,
	run: runExplore,
}

func kindWords() string {
	words := make([]string, len(explore.Faults))
	for i, f := range explore.Faults {
		words[i] = string(f)
	}
	return strings.Join(words, ", ")
}

func runExplore(c *call) int {
	rules := c.flags.String("rules", "", "the rule set to explore under: kip or kafka (the file's first, when left out)")
	from := c.flags.String("from", "", "carry the file out up to this step, and explore from there")
	faults := c.flags.Int("faults", 1, "how many faults may strike")
	kinds := c.flags.String("kinds", "lose,delay", "kinds of faults")
	depth := c.flags.Int("depth", 0, "how many moves deep (0: to the end)")
	states := c.flags.Int("states", explore.DefaultStates, "stop after so many states; a million takes about 2 GB")
	late := c.flags.String("late", explore.DefaultLate.String(), "for how long a late request may be on its way")
	except := c.flags.String("except", "", "what may break: counted, and passed over; several with commas between them")
	out := c.flags.String("o", "", "write the way to what was found to this file instead")
	args, code, ok := c.parse()
	if !ok {
		return code
	}
	sc, set, code := c.open(args, *rules)
	if sc == nil {
		return code
	}
	options := explore.Options{Faults: *faults, Depth: *depth, States: *states, Except: names(*except)}
	if reason := readOptions(&options, *kinds, *late); reason != "" {
		return c.fail("%s", reason)
	}
	start, err := explore.Begin(sc, set.Name, *from)
	if err != nil {
		return c.fail("%v", err)
	}
	x, err := explore.New(start.World, start.Deeds, options)
	if err != nil {
		return c.fail("%v", err)
	}
	fmt.Fprintf(c.stdout, "%s\nunder %s, at most %s\n%s\n", sc.Title, set.TitleFor(sc.Protocol), counted(*faults, "fault"), deedWords(sc, start.Deeds))
	w := &walking{c, x, time.Now()}
	w.walk()
	if x.Found() == nil {
		return exitOK
	}
	return c.tell(x, sc, set.Name, start, *out)
}

// readOptions fills in what is written in words; the reason says what is
// wrong, "" if nothing is.
func readOptions(o *explore.Options, kinds, late string) (reason string) {
	o.Kinds = []explore.Fault{}
	for _, word := range strings.FieldsFunc(kinds, func(r rune) bool { return r == ',' || r == ' ' }) {
		if !slices.Contains(explore.Faults, explore.Fault(word)) {
			return fmt.Sprintf("no such kind of fault: %s. There are %s", word, kindWords())
		}
		o.Kinds = append(o.Kinds, explore.Fault(word))
	}
	d, err := protocol.ParseDuration(late)
	switch {
	case err != nil:
		return fmt.Sprintf("-late: %s is %v", late, err)
	case d <= 0:
		return "-late is above 0"
	case o.Faults < 0 || o.Faults > explore.MostFaults:
		return fmt.Sprintf("-faults is from 0 to %d", explore.MostFaults)
	case o.Depth < 0:
		return "-depth is 0 or more"
	case o.States < 1:
		return "-states is 1 or more"
	}
	o.Late = d
	return ""
}

// names reads a list with commas between its names.
func names(list string) []string {
	var out []string
	for _, name := range strings.Split(list, ",") {
		if name = strings.TrimSpace(name); name != "" {
			out = append(out, name)
		}
	}
	return out
}

func deedWords(sc *scenario.Scenario, deeds []sim.Action) string {
	if len(deeds) == 0 {
		return "nothing more is done"
	}
	words := make([]string, len(deeds))
	for i, a := range deeds {
		words[i] = sc.EncodeAction(a)
	}
	return "at any moment, in this order: " + strings.Join(words, "; ")
}

// walking is a walk under way.
type walking struct {
	c     *call
	x     *explore.Explorer
	start time.Time
}

// walk goes on to the end, and says how it went.
func (w *walking) walk() {
	defer debug.SetGCPercent(debug.SetGCPercent(300)) // worlds come and go quickly
	said := w.start
	for w.x.Next() {
		if time.Since(said) > 5*time.Second {
			said = time.Now()
			fmt.Fprintf(w.c.stderr, "%s so far\n", w.figures())
		}
	}
	walked := time.Since(w.start)
	w.x.Settle()
	r := w.x.Report()
	fmt.Fprintf(w.c.stdout, "%s, %.1f s, %s states a second\n", w.figures(), time.Since(w.start).Seconds(), grouped(int(float64(r.States)/max(walked.Seconds(), 0.001))))
	for _, e := range r.Excepted {
		if e.Name == explore.NeverSettles && w.x.Found() != nil {
			continue // nobody looked
		}
		fmt.Fprintf(w.c.stdout, "excepted: %s, broken in %s\n", e.Name, counted(e.States, "state"))
	}
	if w.x.Found() == nil {
		fmt.Fprintln(w.c.stdout, w.result(&r))
	}
}

// result says what it means that nothing was found.
func (w *walking) result(r *explore.Report) string {
	holds := "no invariant is broken"
	if len(r.Excepted) > 0 {
		holds = "nothing else is broken"
	}
	switch {
	case r.Full:
		return fmt.Sprintf("%s up to here; the limit of states (-states) ended the walk, %s states were left", holds, grouped(r.Waiting))
	case r.Waiting > 0:
		return fmt.Sprintf("%s up to this depth (-depth); %s states were left", holds, grouped(r.Waiting))
	case !slices.ContainsFunc(r.Excepted, func(e explore.Excepted) bool { return e.Name == explore.NeverSettles }):
		holds += ", and from every state the group comes to rest"
	}
	return "that is all that may happen: " + holds
}

func (w *walking) figures() string {
	r := w.x.Report()
	return fmt.Sprintf("%s, %s, depth %d", counted(r.States, "state"), counted(r.Moves, "move"), r.Depth)
}

// tell prints what was found, and the way there as a scenario.
func (c *call) tell(x *explore.Explorer, sc *scenario.Scenario, rules string, start *explore.Start, file string) int {
	found := x.Found()
	fmt.Fprintf(c.stdout, "broken: %s: %s\n", found.Violation.Invariant, found.Violation.Text)
	actions, err := x.Script(start.AsIs)
	if err != nil {
		fmt.Fprintf(c.stdout, "%v; the way there:\n", err)
		for i, m := range x.Words() {
			fmt.Fprintf(c.stdout, "%3d. %s\n", i+1, m)
		}
		return exitFailed
	}
	text := x.Scenario(sc, rules, start.Kept, actions)
	if file == "" {
		fmt.Fprintf(c.stdout, "\n%s", text)
		return exitFailed
	}
	if err := os.WriteFile(file, text, 0o644); err != nil {
		return c.fail("%v", err)
	}
	fmt.Fprintf(c.stdout, "the way there is in %s\n", file)
	return exitFailed
}

// counted writes a number with its noun.
func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return grouped(n) + " " + noun + "s"
}

// grouped writes a number with commas between its thousands.
func grouped(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
