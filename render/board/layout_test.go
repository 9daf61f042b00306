package board_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/playback"
	"groupscope/core/protocol"
	"groupscope/core/scenario"
	"groupscope/core/sim"
	"groupscope/render/board"
	"groupscope/render/scene"
	"groupscope/scenarios"
)

// box is a rectangle of a picture.
type box struct{ x0, y0, x1, y1 float32 }

func (a box) meets(b box) bool {
	const slack = 0.75
	return a.x0 < b.x1-slack && b.x0 < a.x1-slack && a.y0 < b.y1-slack && b.y0 < a.y1-slack
}

func (a box) holds(b box) bool {
	return b.x0 >= a.x0-0.01 && b.x1 <= a.x1+0.01 && b.y0 >= a.y0-0.01 && b.y1 <= a.y1+0.01
}

// measured keeps the widths of labels: the same ones come again and again.
var measured = map[string]float32{}

// ink is where a label's letters stand: from the height of capitals to a
// little under the baseline.
func ink(l *scene.Label) box {
	key := fmt.Sprint(l.Size, l.Weight, l.Text)
	w, ok := measured[key]
	if !ok {
		w = scene.Measure(l.Text, l.Size, l.Weight)
		measured[key] = w
	}
	x := l.X
	switch l.Anchor {
	case scene.Middle:
		x -= w / 2
	case scene.End:
		x -= w
	}
	return box{x, l.Y - l.Size*0.73, x + w, l.Y + l.Size*0.15}
}

func edges(s *scene.Shape) box {
	w := float32(0)
	if s.Stroke != scene.NoColor {
		w = s.Width / 2
	}
	return box{s.X - w, s.Y - w, s.X + s.W + w, s.Y + s.H + w}
}

// faults lists what is cut, too small or on top of something else.
func faults(s *scene.Scene) []string {
	var out []string
	all := box{0, 0, s.Width, s.Height}
	var chips []box
	for _, r := range s.Regions {
		b := box{r.X, r.Y, r.X + r.W, r.Y + r.H}
		if !all.holds(b) {
			out = append(out, fmt.Sprintf("region %s reaches out: %v", r.ID, b))
		}
		if r.Title == "" {
			out = append(out, "region "+r.ID+" has no title")
		}
		if strings.HasPrefix(r.ID, "partition/") {
			for _, c := range chips {
				if c.meets(b) {
					out = append(out, fmt.Sprintf("chip %s lies on another one: %v %v", r.ID, b, c))
				}
			}
			chips = append(chips, b)
		}
	}
	var labels []scene.Label
	var inks []box
	for _, l := range []scene.Layer{s.Base, s.Over} {
		for i := range l.Shapes {
			if b := edges(&l.Shapes[i]); !all.holds(b) {
				out = append(out, fmt.Sprintf("a shape reaches out: %v of %v", b, all))
			}
		}
		for i := range l.Labels {
			labels, inks = append(labels, l.Labels[i]), append(inks, ink(&l.Labels[i]))
		}
	}
	for i, a := range inks {
		switch text := labels[i].Text; {
		case labels[i].Size < 14:
			out = append(out, fmt.Sprintf("%q is of size %v", text, labels[i].Size))
		case !all.holds(a):
			out = append(out, fmt.Sprintf("%q is cut: %v of %v", text, a, all))
		}
		for j := range i {
			if a.meets(inks[j]) {
				out = append(out, fmt.Sprintf("%q lies on %q: %v %v", labels[i].Text, labels[j].Text, a, inks[j]))
			}
		}
		mid := box{(a.x0 + a.x1) / 2, (a.y0 + a.y1) / 2, (a.x0 + a.x1) / 2, (a.y0 + a.y1) / 2}
		for _, c := range chips {
			if a.meets(c) && !c.holds(mid) {
				out = append(out, fmt.Sprintf("%q lies on a chip: %v %v", labels[i].Text, a, c))
			}
		}
	}
	return out
}

// views are all layouts at several widths, as high as they like to be, and
// lower.
func views() []board.View {
	var out []board.View
	for _, w := range []float32{1920, 1440, 1280, 1200, 1199, 960, 768, 720, 719, 640, 560, 559, 480, 430, 429, 390, 320} {
		out = append(out, board.View{Width: w})
		for _, h := range []float32{600, 404, 264, 216} {
			out = append(out, board.View{Width: w, Height: h})
		}
	}
	for _, h := range []float32{0, 512, 640} {
		out = append(out, board.View{Width: 1280, Height: h, Presentation: true}, board.View{Width: 1920, Height: h, Presentation: true})
	}
	return out
}

// few are one view of each layout.
func few() (out []board.View) {
	for _, w := range []float32{1280, 768, 640, 480, 390} {
		out = append(out, board.View{Width: w}, board.View{Width: w, Height: 264})
	}
	return append(out, board.View{Width: 1280, Height: 512, Presentation: true})
}

func check(t *testing.T, name string, f *playback.Frame, views []board.View) {
	t.Helper()
	var s scene.Scene
	for _, v := range views {
		board.Group(&s, f, &v)
		assert.Empty(t, faults(&s), "%s at %v x %v", name, v.Width, v.Height)
		assert.NotEmpty(t, s.Title)
		if t.Failed() {
			t.FailNow() // one picture tells enough
		}
	}
}

func TestNothingIsCutOrCoveredInTheGallery(t *testing.T) {
	for _, name := range scenarios.Names() {
		src, err := scenarios.Source(name)
		require.NoError(t, err)
		sc, ds := scenario.Parse(name, src)
		require.Empty(t, ds)
		for _, rules := range sc.Rules {
			rec, err := playback.Record(sc, rules)
			require.NoError(t, err)
			p := playback.NewPlayer(rec)
			for i := range p.Len() {
				require.NoError(t, p.Seek(i))
				check(t, name+" "+p.Frame().Stop.Label+" "+rules, p.Frame(), few())
			}
		}
	}
}

func TestNothingIsCutOrCoveredInTheFormsOfTheLanguage(t *testing.T) {
	for i, f := range worked() {
		check(t, fmt.Sprint("K", i), f, views())
	}
	check(t, "fenced", fencedSteps()[1], views())
	check(t, "violated", violated(), views())
	check(t, "payments", payments(), views())
	for _, n := range [][2]int{{7, 12}, {8, 24}, {24, 96}, {60, 200}, {64, 1000}, {65, 65}, {100, 1000}, {500, 5000}} {
		f := frames(step{"K1", crowd(n[0], n[1], false), nil}, step{"K2", crowd(n[0], n[1], true), nil})[1]
		check(t, fmt.Sprint(n), f, views())
	}
}

func TestLongNamesAreShortenedAndStayInTheirPlace(t *testing.T) {
	topic := strings.Repeat("payments.settled.orders.", 2) + "eu-west-1.v2" // 60
	long := func(i int) string { return fmt.Sprintf("consumer-payments-eu-west-1-%012d", i) }
	for _, parts := range []int32{1, 3, 4, 6, 7, 12} {
		ts := []protocol.Topic{{ID: protocol.TopicID(topic), Name: topic, Partitions: parts}}
		first := topic + " 0"
		s := stage(123456, ts,
			member{name: long(1), epoch: 123455, has: "", pends: first, revokes: first, client: "reconciling"},
			member{name: long(2), epoch: 123456, waits: first, aim: first},
			member{name: long(3), absent: true},
			member{name: long(4), removed: true, own: "-", client: "crashed"},
		)
		s.GroupID = strings.Repeat("a-very-long-group-id-", 4)
		before := stage(123455, ts, member{name: long(1), epoch: 123455, has: first, aim: first})
		check(t, fmt.Sprint("long names, partitions ", parts), frames(step{"K1", before, nil},
			step{"K2", s, refused(long(1), 123455, protocol.FencedMemberEpoch)})[1], views())
	}
}

func TestGroupsOfAnyShapeFit(t *testing.T) {
	shapes := []string{"foo 1", "foo 4", "foo 5", "foo 6", "foo 7", "foo 12", "bar 2, foo 3", "a 1, b 1, c 1, d 1, e 1, f 1", "a 4, b 4, c 4",
		"alpha 1, beta 1, gamma 1, delta 1, epsilon 1, zeta 1, eta 1", "foo 100"}
	for _, shape := range shapes {
		for n := range 7 {
			var ms []member
			for i := range n {
				m := member{name: string(rune('A' + i)), epoch: 5}
				if i == 0 {
					for _, topic := range topics(shape) {
						for p := range topic.Partitions {
							m.has += fmt.Sprintf(",%s %d", topic.Name, p)
						}
					}
				}
				ms = append(ms, m)
			}
			check(t, fmt.Sprintf("%d members, %s", n, shape), frames(step{"K1", stage(5, topics(shape), ms...), nil})[0], views())
		}
	}
}

func TestAMemberOfTheBooksWithoutAClientHasARow(t *testing.T) {
	f := worked()[7]
	s := *f.State
	a := *s.Clients[0]
	a.ID, a.State, a.Owned, a.Epoch = "A~2", "JOINING", nil, 0
	s.Clients = append([]*sim.ClientState{&a}, s.Clients[1:]...)
	f.State = &s
	check(t, "restarted", f, views())
	var picture scene.Scene
	board.Group(&picture, f, &board.View{Width: 1280})
	assert.Contains(t, texts(&picture), "its client is gone")
}

func texts(s *scene.Scene) []string {
	var out []string
	for i := range s.Base.Labels {
		out = append(out, s.Base.Labels[i].Text)
	}
	return out
}
