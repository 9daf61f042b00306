package conformance

import (
	"groupscope/core/client"
	"groupscope/core/protocol"
)

// liveClient is a client of a trace that lives anew, with its application and
// its connection.
type liveClient struct {
	*client.Client
	member *RunMember
	link
	metadata metadata
	wake     int              // the place in the order of the wake-up in force
	nextPoll protocol.Instant // of an application that is not always inside poll()
	returned protocol.Instant // of the last callback since close(), 0 for none
	end      object           // the end of close() that the application will notice at its next poll()
}

func newLiveClient(m *RunMember) *liveClient {
	return &liveClient{Client: client.New(m.Config), member: m, link: link{latency: m.Latency}}
}

func (c *liveClient) name() string { return c.member.Config.MemberID }

// lives reports whether there is a process with a client.
func (c *liveClient) lives() bool {
	switch c.State() {
	case client.Absent, client.Closed, client.Crashed:
		return false
	}
	return true
}

// start makes the application subscribe and enter poll() for the first time.
func (r *liveRun) start(c *liveClient) {
	if c.member.Config.PollInterval > 0 {
		r.tick(c)
	}
	c.metadata.subscribed = c.member.Subscription.Topics
	r.did(c, c.Start(r.now, c.member.Subscription, r.startMetadata(c)))
}

// tick schedules the next poll() of an application that is not always in it.
func (r *liveRun) tick(c *liveClient) {
	c.nextPoll = r.now.Add(c.member.Config.PollInterval)
	r.at(c.nextPoll, func() {
		r.tick(c)
		if c.end != nil {
			r.tell("client", c, c.end)
			c.end = nil
		}
		r.did(c, c.Poll(r.now))
	})
}

// did carries out what a client did, and what follows from it at once.
func (r *liveRun) did(c *liveClient, outs []client.Output) {
	for r.goesOn() {
		r.asks(c)
		entered := r.carryOut(c, outs)
		if entered != nil && entered.Takes == 0 {
			outs = c.CallbackReturned(r.now)
			continue
		}
		if entered != nil {
			r.at(r.now.Add(entered.Takes), func() {
				if c.lives() {
					r.did(c, c.CallbackReturned(r.now))
				}
			})
		}
		if outs = c.Rest(); len(outs) == 0 {
			break
		}
	}
	r.sleep(c)
}

// carryOut returns the callback that the application entered, if any.
func (r *liveRun) carryOut(c *liveClient, outs []client.Output) (entered *client.Callback) {
	for _, o := range outs {
		switch o := o.(type) {
		case client.Send:
			r.send(c, o)
		case client.FindCoordinator:
			r.find(c)
		case client.Callback:
			r.tell("callback", c, CallbackWords(o))
			c.returned, entered = r.now, nil
			if !o.Done {
				entered = &o
			}
		case client.Changed:
			r.changed(c, o)
		case client.Raised:
			r.tell("appError", c, object{"code": o.Error.String()})
		}
	}
	return entered
}

// sleep sets the time at which the client looks at its timers.
func (r *liveRun) sleep(c *liveClient) {
	c.wake = 0
	if deadline, waits := c.NextDeadline(r.now); waits {
		var place int
		place = r.at(deadline, func() {
			if place == c.wake {
				r.did(c, c.Wake(r.now))
			}
		})
		c.wake = place
	}
}

// changed tells of a state. An application that polls now and then notices
// the end of close() at its next poll(), if it had a callback to run and then
// to wait for an answer.
func (r *liveRun) changed(c *liveClient, o client.Changed) {
	every := c.member.Config.PollInterval
	waited := c.returned != 0 && r.now > c.returned
	if o.State == client.Closed && waited && every > 0 && r.now.Sub(c.member.Start)%every != 0 {
		c.end = ChangedWords(o)
		return
	}
	r.tell("client", c, ChangedWords(o))
}

func (r *liveRun) pausePoll(c *liveClient, a *RunAction) {
	r.at(r.now.Add(a.Span), func() { r.did(c, c.Resume(r.now)) })
	r.did(c, c.Pause(r.now))
}

func (r *liveRun) close(c *liveClient, a *RunAction) {
	c.returned = 0
	r.did(c, c.Close(r.now, a.Option))
}

func (r *liveRun) crash(c *liveClient, _ *RunAction) {
	for _, l := range c.flying {
		if l.answered != nil {
			l.lose(l.answered)
		}
	}
	c.flying = nil
	r.did(c, c.Crash(r.now))
}
