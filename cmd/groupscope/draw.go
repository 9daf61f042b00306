package main

import (
	"bufio"
	"bytes"
	"errors"
	"os"
	"slices"
	"strings"

	"groupscope/core/playback"
	"groupscope/core/scenario"
	"groupscope/render/board"
	"groupscope/render/scene"
	"groupscope/render/svg"
)

var drawCommand = command{
	name:  "draw",
	args:  "[-step K5] [-board group] [-theme light] [-width 1280] [-rules NAME] -o OUT.svg FILE",
	short: "draw a step of a scenario as an SVG file",
	long: `Runs a scenario and draws one of its steps, the last one if none is named. The
file carries its colours and its face, so it looks the same everywhere.
Themes: light, dark, hcLight, hcDark (high contrast). -o - writes to the output.
`,
	run: runDraw,
}

// The widths that a board can be drawn at.
const leastWidth, mostWidth = 320, 4096

func runDraw(c *call) int {
	step := c.flags.String("step", "", "the step to draw, by its name or its label on the ladder (the last one, when left out)")
	name := c.flags.String("board", "group", "the board to draw: group, or topology of a streams group")
	theme := c.flags.String("theme", "light", "the theme: "+strings.Join(scene.Themes[:], ", "))
	width := c.flags.Int("width", 1280, "the width in pixels; the layout follows it")
	ruleSet := c.flags.String("rules", "", "the rule set to run under: kip or kafka (the file's first, when left out)")
	out := c.flags.String("o", "", "the file to write, - for the output")
	args, code, ok := c.parse()
	kind, _ := board.Named(*name)
	switch {
	case !ok:
		return code
	case len(args) == 1 && *out == "":
		return c.fail("say where to write the picture: -o OUT.svg")
	case kind == nil:
		return c.fail("there is no board %q yet: use group or topology", *name)
	case !slices.Contains(scene.Themes[:], *theme):
		return c.fail("there is no theme %q: use %s", *theme, strings.Join(scene.Themes[:], ", "))
	case *width < leastWidth || *width > mostWidth:
		return c.fail("the width is between %d and %d", leastWidth, mostWidth)
	}
	sc, set, code := c.open(args, *ruleSet)
	if sc == nil {
		return code
	}
	if kind.Streams && sc.Protocol != "streams" {
		return c.fail("a %s group has no %s board", sc.Protocol, kind.Name)
	}
	var picture bytes.Buffer
	if err := drawStep(&picture, sc, set.Name, *step, kind, *theme, float32(*width)); err != nil {
		var refused *playback.StepError
		if errors.As(err, &refused) {
			return c.faulty(sc.Refusal(refused.Step, refused.Action, refused.Err))
		}
		return c.fail("%v", err)
	}
	if err := write(c, *out, picture.Bytes()); err != nil {
		return c.fail("%v", err)
	}
	return exitOK
}

// drawStep draws a step of a scenario, the last one for "".
func drawStep(w *bytes.Buffer, sc *scenario.Scenario, ruleSet, step string, kind *board.Kind, theme string, width float32) error {
	recording, err := playback.Record(sc, ruleSet)
	if err != nil {
		return err
	}
	player := playback.NewPlayer(recording)
	if step == "" {
		err = player.Seek(player.Len() - 1)
	} else {
		err = player.SeekStep(step)
	}
	if err != nil {
		return err
	}
	var s scene.Scene
	kind.Draw(&s, player.Frame(), &board.View{Width: width})
	return svg.Standalone(w, &s, theme)
}

func write(c *call, name string, data []byte) error {
	if name != "-" {
		return os.WriteFile(name, data, 0o644)
	}
	b := bufio.NewWriter(c.stdout)
	b.Write(data) // Flush returns the error
	return b.Flush()
}
