package client

import (
	"math/rand/v2"

	"groupscope/core/protocol"
)

// pacing is the state of one kind of request: at most one in flight, and a
// backoff counted from the last answer.
type pacing struct {
	inFlight bool
	answered protocol.Instant // 0: never
	wait     protocol.Duration
	failures int
}

func (p *pacing) ready(now protocol.Instant) bool { return !p.inFlight && now >= p.readyAt() }

func (p *pacing) readyAt() protocol.Instant {
	if p.answered == 0 {
		return 0
	}
	return p.answered.Add(p.wait)
}

func (p *pacing) succeeded(now protocol.Instant, b *backoff) {
	*p = pacing{answered: now, wait: b.draw(0)}
}

func (p *pacing) failed(now protocol.Instant, b *backoff) {
	*p = pacing{answered: now, wait: b.draw(p.failures), failures: p.failures + 1}
}

func (p *pacing) reset() { *p = pacing{} }

// backoff is how long a client waits between requests: twice as long after
// each failure in a row, up to a limit.
type backoff struct {
	first, most protocol.Duration
	jitter      bool
	random      rand.PCG
}

// jitterPercent is how much longer or shorter a backoff may become.
const jitterPercent = 20

// draw is the wait after so many failures and one more, or after a success.
func (b *backoff) draw(failures int) protocol.Duration {
	wait := b.first
	for i := 0; i < failures && wait < b.most; i++ {
		wait *= 2
	}
	wait = min(wait, b.most)
	if b.jitter {
		span := uint64(wait)*2*jitterPercent/100 + 1
		wait += protocol.Duration(b.random.Uint64()%span) - wait*jitterPercent/100
	}
	return min(wait, b.most)
}
