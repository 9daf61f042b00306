//go:build browser

package browsertest

import (
	"context"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/render/scene"
)

// early lays a script before those of every page of the tab.
func early(script string) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: script})
		return err
	})
}

// prefers sets what the reader asked of the system.
func prefers(feature, value string) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: feature, Value: value}},
		})
		return err
	})
}

func TestTheBoardIsDrawnByEbitengine(t *testing.T) {
	for _, theme := range []string{"light", "dark"} {
		t.Run(theme, func(t *testing.T) {
			p := open(t, 1280, 800, "index.html#scenario="+example+"&step=K5", prefers("prefers-color-scheme", theme))
			p.until(board + `.state === 'live'`)
			assert.Equal(t, "canvas", eval[string](p, board+`.drawing`))
			atK5(t, p.draw(board, theme))
			eval[any](p, board+`.seek('K7')`)
			atK7(t, p.draw(board, theme))
		})
	}
}

func atK5(t *testing.T, d *drawing) {
	owned, edge, target := d.palette[scene.Epoch(1, scene.Fill)], scene.Epoch(1, scene.Edge), scene.Epoch(2, scene.Edge)
	for _, id := range []string{"foo-0/own/A", "foo-1/own/A", "foo-0/current/A", "foo-1/current/A"} {
		assert.Equal(t, owned, d.inside(d.region("partition/"+id)), "%s is owned at epoch 1", id)
	}
	for _, r := range d.partitions() {
		giving := r.ID == "partition/foo-2/own/A" || r.ID == "partition/foo-2/current/A"
		assert.Equal(t, giving, d.hatched(r, 1), "%s: foo-2 is hatched at A, and nothing else is", r.ID)
		assert.False(t, d.hatched(r, 2), "%s", r.ID)
	}
	for _, id := range []string{"foo-0/target/A", "foo-1/target/A", "foo-2/target/B"} {
		r := d.region("partition/" + id)
		assert.True(t, d.outlined(r, target), "%s is an outline in the hue of epoch 2", id)
		assert.Equal(t, d.palette[scene.Panel], d.inside(r), "%s has no fill", id)
	}
	waiting := d.region("partition/foo-2/current/B")
	dashes := max(d.share(target, waiting.X+8, waiting.X+waiting.W-8, waiting.Y-0.5), d.share(target, waiting.X+8, waiting.X+waiting.W-8, waiting.Y))
	assert.Greater(t, dashes, 0.3, "what waits is dashed")
	assert.Less(t, dashes, 0.9, "what waits is dashed")
	assert.NotEqual(t, d.palette[edge], d.inside(waiting))
	emptySlots(t, d)
}

func atK7(t *testing.T, d *drawing) {
	owned := d.palette[scene.Epoch(2, scene.Fill)]
	for _, id := range []string{"foo-0/current/A", "foo-1/current/A", "foo-2/current/B"} {
		assert.Equal(t, owned, d.inside(d.region("partition/"+id)), "%s is owned at epoch 2", id)
	}
	for _, r := range d.partitions() {
		assert.False(t, d.hatched(r, 1) || d.hatched(r, 2), "%s: nothing is given up any more", r.ID)
	}
	emptySlots(t, d)
}

func emptySlots(t *testing.T, d *drawing) {
	slots := d.slots()
	require.NotEmpty(t, slots)
	for _, s := range slots {
		assert.Equal(t, d.palette[scene.Hair], d.at(float64(s.X+s.W/2), float64(s.Y+s.H/2)), "the empty slot at %v, %v", s.X, s.Y)
	}
}

func TestSteppingToTheEndAndBackGivesTheSamePicture(t *testing.T) {
	p := openPage(t, 1280, 800, "scenario="+example)
	p.atStep("K0")
	before := p.draw(board, "light")
	for range 13 {
		eval[any](p, board+`.step(1)`)
	}
	p.atStep("K13")
	end := p.draw(board, "light")
	require.False(t, before.same(end), "K13 does not look like K0")
	for range 13 {
		eval[any](p, board+`.step(-1)`)
	}
	p.atStep("K0")
	after := p.draw(board, "light")
	assert.JSONEq(t, text(before.scene), text(after.scene))
	assert.True(t, before.same(after), "the pixels are the same")
}

func TestTheCanvasFollowsThePixelRatio(t *testing.T) {
	p := openPage(t, 1280, 800, "scenario="+example+"&step=K5")
	size := `(() => { const c = ` + board + `.player.canvas, s = ` + board + `.shadowRoot.querySelector('[part=board]');
		return c.width === Math.round(s.clientWidth * devicePixelRatio) && c.height === Math.round(s.clientHeight * devicePixelRatio) && devicePixelRatio })()`
	for _, ratio := range []float64{1, 2, 3, 1.5} {
		p.do(chromedp.EmulateViewport(1280, 800, chromedp.EmulateScale(ratio)))
		eval[any](p, `dispatchEvent(new Event('resize'))`) // as a zoom by hand does; an emulated one is silent
		p.until(size + ` === ` + text(ratio))
		p.idle(board)
	}
}

func TestReducedMotionShowsTheEndAtOnce(t *testing.T) {
	p := open(t, 1280, 800, "index.html#scenario="+example+"&step=K5", prefers("prefers-reduced-motion", "reduce"))
	p.until(board + `.state === 'live'`)
	eval[any](p, board+`.step(1)`)
	assert.False(t, eval[bool](p, board+`.bridge.scene().Moving`))
}
