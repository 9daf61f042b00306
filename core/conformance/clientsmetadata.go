package conformance

import (
	"cmp"
	"slices"

	"groupscope/core/client"
	"groupscope/core/protocol"
)

// metadata is what a client knows of the cluster's topics, and when it asks
// (Kafka's Metadata class): what it needs to know it asks for at once, but not
// before a backoff is over that grows while answers bring nothing new.
type metadata struct {
	known      []protocol.Topic // that it asks for and that exist, sorted
	subscribed []string         // by name
	needed     bool
	// waits says that the next request has its time already: that stays.
	waits, asked bool
	refreshed    protocol.Instant // when the last answer came, 0: ask at once
	inVain       int              // so many answers in a row brought nothing new
}

// refreshBackoff is between an answer and the next request.
func (c *liveClient) refreshBackoff() protocol.Duration {
	wait := c.member.Config.RetryBackoff
	for i := 1; i < c.metadata.inVain; i++ {
		wait = min(2*wait, c.member.Config.RetryBackoffMax)
	}
	return wait
}

// visible are the topics as metadata answers show them now.
func (r *liveRun) visible() []protocol.Topic {
	shown := r.run.Topics
	for _, change := range r.changes {
		if change.from <= r.now {
			shown = change.topics
		}
	}
	return shown
}

// topicChange is when metadata answers begin to show topics.
type topicChange struct {
	from   protocol.Instant
	topics []protocol.Topic
}

// asksFor are the topics that the client asks for: by name, or with a pattern
// those that it was assigned. missing says that a named one does not exist.
func (r *liveRun) asksFor(c *liveClient, s client.Subscription) (found []protocol.Topic, missing bool) {
	names, byID := s.Topics, s.Pattern != ""
	if of := c.member.Config.Streams; of != nil {
		names = inputTopics(of.Topology)
	}
	for _, t := range r.visible() {
		if byID && slices.Contains(c.AssignedTopics(), t.ID) || !byID && slices.Contains(names, t.Name) {
			found = append(found, t)
		}
	}
	slices.SortFunc(found, func(a, b protocol.Topic) int { return cmp.Compare(a.ID, b.ID) })
	return found, !byID && len(found) < len(names)
}

// inputTopics are the topics that a topology reads.
func inputTopics(t *protocol.Topology) (names []string) {
	for _, s := range t.Subtopologies {
		names = append(names, s.SourceTopics...)
		for _, topic := range s.RepartitionSourceTopics {
			names = append(names, topic.Name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// startMetadata is the first answer, which comes at once.
func (r *liveRun) startMetadata(c *liveClient) []protocol.TopicID {
	r.learn(c, c.member.Subscription)
	return c.metadata.ids()
}

func (m *metadata) ids() []protocol.TopicID {
	out := make([]protocol.TopicID, len(m.known))
	for i, t := range m.known {
		out[i] = t.ID
	}
	return out
}

// asks has the client ask for what it came to need: the names of topics that
// it was assigned, or other topics that its application subscribed to, for
// which no backoff counts.
func (r *liveRun) asks(c *liveClient) {
	m := &c.metadata
	if now := c.Subscription().Topics; !slices.Equal(now, m.subscribed) {
		if m.subscribed = now; len(now) > 0 {
			m.refreshed, m.inVain, m.needed = 0, 0, true
		}
	}
	if c.LacksNames() {
		m.inVain, m.needed = 0, true
	}
	r.askLater(c)
}

// learn takes an answer in. It reports whether other topics are known now.
func (r *liveRun) learn(c *liveClient, s client.Subscription) (changed bool) {
	m := &c.metadata
	now, missing := r.asksFor(c, s)
	m.asked, m.needed, m.refreshed = false, missing, r.now
	m.inVain++
	if !slices.EqualFunc(now, m.known, func(a, b protocol.Topic) bool { return a.ID == b.ID && a.Partitions == b.Partitions }) {
		m.inVain = 0
	}
	changed = !slices.EqualFunc(now, m.known, func(a, b protocol.Topic) bool { return a.ID == b.ID })
	m.known = now
	r.askLater(c)
	return changed
}

// askLater gives the next request its time.
func (r *liveRun) askLater(c *liveClient) {
	m := &c.metadata
	if !m.needed || m.waits || m.asked {
		return
	}
	when := r.now
	if m.refreshed != 0 {
		when = max(when, m.refreshed.Add(c.refreshBackoff()))
	}
	if when == r.now {
		r.ask(c)
		return
	}
	m.waits = true
	r.at(when, func() {
		m.waits = false
		if m.needed && c.lives() {
			r.ask(c)
		}
	})
}

func (r *liveRun) ask(c *liveClient) {
	c.metadata.asked = true
	r.at(r.now.Add(c.member.Metadata), func() {
		if c.lives() && r.learn(c, c.Subscription()) {
			topics := []any{}
			for _, id := range c.metadata.ids() {
				topics = append(topics, string(id))
			}
			r.tell("metadata", c, object{"topics": topics})
			r.did(c, c.Metadata(r.now, c.metadata.ids()))
		}
	})
}
