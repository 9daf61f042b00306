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
	// Idle is called once the last picture has been drawn and nothing moves.
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

	last   time.Time // of the last update; zero after idling
	ready  bool      // there is a picture
	stale  bool      // the screen does not show it
	moving bool
	idle   bool // told
	broken bool
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
		g.painter.prepare(&pic)
		g.ready, g.stale = true, true
	}
	switch {
	case g.moving || g.stale:
		g.idle = false
	case !g.idle:
		g.idle, g.last = true, time.Time{}
		g.board.Idle()
	default:
		g.last = time.Time{}
	}
	return nil
}

// Draw implements ebiten.Game.
func (g *game) Draw(screen *ebiten.Image) {
	size := screen.Bounds().Size()
	if size.X != g.w || size.Y != g.h {
		g.w, g.h, g.stale = size.X, size.Y, true
	}
	if g.broken || !g.ready || !g.stale {
		return
	}
	defer g.rescue()
	g.stale = false
	g.painter.paint(screen)
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
