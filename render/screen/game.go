package screen

import (
	"runtime/debug"
	"time"

	"github.com/hajimehoshi/ebiten/v2"
)

// Board is what a Game shows.
type Board interface {
	// Update moves the board's clock on and returns its picture, and whether
	// it differs from the one returned before.
	Update(elapsed time.Duration) (p Picture, changed bool)
	// Idle is called when the last picture has been drawn and nothing moves,
	// at every frame until the host stops asking for frames.
	Idle()
	// Broken is called once, when Update or drawing panicked. From then on
	// nothing is drawn: the last good picture stays.
	Broken(cause any, stack []byte)
}

// longest is the most time that one frame may move the clock: after a stall
// things go on where they were instead of jumping.
const longest = 250 * time.Millisecond

// Run shows a board until the program ends. It returns an error when there is
// no screen to draw on.
func Run(b Board) error {
	p, err := newPainter()
	if err != nil {
		return err
	}
	ebiten.SetScreenClearedEveryFrame(false)
	ebiten.SetRunnableOnUnfocused(true)
	ebiten.SetTPS(ebiten.SyncWithFPS)
	return ebiten.RunGameWithOptions(&game{board: b, painter: p}, &ebiten.RunGameOptions{InitUnfocused: true})
}

// game adapts a Board to Ebitengine. It draws only when the picture changed or
// the screen was replaced, and says when nothing is left to do.
type game struct {
	board   Board
	painter *painter

	last   time.Time // of the last update; zero when idle
	ready  bool      // there is a picture
	stale  bool      // the screen does not show it
	moving bool
	broken bool
	spoilt bool // the painter's own work broke: nothing can be drawn again
	w, h   int
}

// Update implements ebiten.Game.
func (g *game) Update() error {
	if g.broken {
		return nil
	}
	defer g.rescue()
	now := time.Now()
	var elapsed time.Duration
	if !g.last.IsZero() {
		elapsed = min(now.Sub(g.last), longest)
	}
	g.last = now
	pic, changed := g.board.Update(elapsed)
	if pic.Scene == nil {
		return nil
	}
	g.moving = pic.Moving
	if changed || !g.ready {
		g.spoilt = true
		g.painter.prepare(&pic)
		g.spoilt = false
		g.ready, g.stale = true, true
	}
	if !g.moving && !g.stale {
		g.last = time.Time{}
		g.board.Idle()
	}
	return nil
}

// Draw implements ebiten.Game.
func (g *game) Draw(screen *ebiten.Image) {
	size := screen.Bounds().Size()
	if size.X != g.w || size.Y != g.h {
		g.w, g.h, g.stale = size.X, size.Y, true
	}
	if g.spoilt || !g.ready || !g.stale {
		return
	}
	defer g.rescue()
	g.spoilt = true
	g.painter.paint(screen)
	g.spoilt, g.stale = false, false
}

// Layout implements ebiten.Game.
func (g *game) Layout(int, int) (int, int) { panic("LayoutF is used") }

// LayoutF implements ebiten.LayoutFer. The host reports device pixels as the
// outside size, so the screen is as large as the canvas.
func (g *game) LayoutF(w, h float64) (float64, float64) { return w, h }

func (g *game) rescue() {
	if cause := recover(); cause != nil && !g.broken {
		g.broken = true
		g.board.Broken(cause, debug.Stack())
	}
}
