package coordinator

import (
	"regexp"
	"slices"

	"groupscope/core/consumergroup"
	"groupscope/core/protocol"
	"groupscope/core/record"
)

// leastRefresh is the shortest time between two resolutions of a group's
// regexes.
const leastRefresh = 10 * protocol.Second

// updateRegex follows a change of the member's regex, and starts a refresh of
// the group's regexes when one is due (consumer-group.md 8).
func (h *heartbeat) updateRegex() *Result {
	before, after := h.before.Meta.SubscribedTopicRegex, h.after.Meta.SubscribedTopicRegex
	wanted := false
	if before != after {
		h.subscriptionChanged = true
		if before != "" && h.group.RegexUsers(before) == 1 {
			h.records = append(h.records, tombstone(record.Key{Type: record.RegularExpression, Group: h.group.ID, Regex: before}))
			h.say(aside, ruleRegex, "Nobody subscribes to "+before+" any more. Its resolution is deleted.")
		}
		_, resolved := h.group.Resolved(after)
		switch {
		case after == "":
			h.regexBumps = h.after.ID + " no longer subscribes by " + before
		case h.group.RegexUsers(after) == 0:
			if err := validRegex(after); err != nil {
				refused := h.refuse(protocol.InvalidRegularExpression, ruleRegex, after+" is not a regex: "+err.Error()+".")
				return &refused
			}
			wanted = true
		case resolved:
			h.regexBumps = h.after.ID + " subscribes by " + after + ", which is resolved"
		}
	}
	h.startRefresh(wanted)
	return nil
}

// startRefresh starts a refresh of all the group's regexes, unless one runs
// already or the last one is too young.
func (h *heartbeat) startRefresh(wanted bool) {
	if h.after.Meta.SubscribedTopicRegex == "" && !h.group.UsesRegexes() {
		return
	}
	for i := range h.c.background {
		if h.c.background[i].Group == h.group.ID {
			return
		}
	}
	last, version, resolved := h.group.LastResolved()
	if resolved && h.now <= last.Add(leastRefresh) {
		return
	}
	count := h.group.RegexesWith(h.before.Meta.SubscribedTopicRegex, h.after.Meta.SubscribedTopicRegex)
	due := wanted || !resolved || count != h.group.ResolvedRegexes() ||
		version < h.c.newTopics || h.now > last.Add(h.c.cfg.RegexRefreshInterval)
	if count == 0 || !due {
		return
	}
	counts := h.counts()
	regexes := counts.Regexes()
	task := BackgroundTask{Name: h.group.ID + "-regex", Group: h.group.ID}
	h.c.background = append(h.c.background, background{
		BackgroundTask: task, regexes: regexes, topics: h.c.visibleTopics(), version: h.c.version,
	})
	h.say(aside, ruleRegex, textRefresh(regexes))
}

// visibleTopics lists the topics that members may DESCRIBE.
func (c *Coordinator) visibleTopics() []string {
	return slices.DeleteFunc(c.meta.Names(), func(name string) bool { return slices.Contains(c.cfg.HiddenTopics, name) })
}

// validRegex checks the syntax, which is RE2's.
func validRegex(regex string) error {
	_, err := regexp.Compile(regex)
	return err
}

// matching lists the topics that the whole of the regex matches. One that is
// not a regex here, as a log may have it, matches nothing.
func matching(regex string, topics []string) []string {
	whole, err := regexp.Compile(`\A(?:` + regex + `)\z`)
	if err != nil {
		return nil
	}
	var out []string
	for _, topic := range topics {
		if whole.MatchString(topic) {
			out = append(out, topic)
		}
	}
	return out
}

// refreshRegexes runs a refresh. It writes a record for each regex that
// somebody still subscribes to, changed or not, and bumps the group epoch if
// the set of topics behind one changed.
func (c *Coordinator) refreshRegexes(now protocol.Instant, t background) BackgroundRun {
	o := operation{c: c, now: now, group: c.consumer(t.Group)}
	if o.group == nil {
		o.say(idle, ruleRegex, "There is no consumer group "+t.Group+" any more.")
		return BackgroundRun{Task: t.BackgroundTask, Decisions: o.decisions()}
	}
	counts := o.group.CountsWith(nil, nil)
	changed := false
	for _, regex := range t.regexes {
		if o.group.RegexUsers(regex) == 0 {
			continue
		}
		topics := matching(regex, t.topics)
		was, _ := o.group.Resolved(regex)
		if !slices.Equal(was.Topics, topics) {
			changed = true
			counts.Resolve(regex, topics)
		}
		o.records = append(o.records, record.Record{
			Key:   record.Key{Type: record.RegularExpression, Group: t.Group, Regex: regex},
			Value: record.RegularExpressionValue{Topics: topics, Version: t.version, Timestamp: now},
		})
		o.say(cause, ruleRegex, textResolved(regex, topics))
	}
	o.bumpAfterRefresh(counts, changed)
	c.write(o.records)
	return BackgroundRun{Task: t.BackgroundTask, Records: o.records, Decisions: o.decisions()}
}

func (o *operation) bumpAfterRefresh(counts consumergroup.Counts, changed bool) {
	hash := counts.Hash(o.c.meta)
	if !changed && hash == o.group.MetadataHash {
		o.say(effect, ruleRegex, "The topics behind the group's regexes are the same. The group epoch stays at "+itoa(o.group.Epoch)+".")
		return
	}
	epoch := o.group.Epoch + 1
	o.put(record.GroupMetadata, "", record.GroupMetadataValue{Epoch: epoch, MetadataHash: hash})
	o.group.refresh = refreshDeadline{at: o.now.Add(refreshInterval), epoch: epoch}
	o.say(effect, ruleRegex, textBump([]string{"the topics behind the group's regexes changed"}, o.group.Epoch, epoch))
}

// restoreVersion makes the metadata version that of the resolutions in the
// log, or a later one if a topic has come that one of the regexes matches.
func (c *Coordinator) restoreVersion() {
	topics := c.visibleTopics()
	missed := false
	for _, hosted := range c.groups {
		g, ok := hosted.(*group)
		if !ok {
			continue
		}
		for _, regex := range g.Regexes() {
			resolved, _ := g.Resolved(regex)
			c.version = max(c.version, resolved.Version)
			missed = missed || slices.ContainsFunc(matching(regex, topics), func(topic string) bool {
				return !slices.Contains(resolved.Topics, topic)
			})
		}
	}
	if missed {
		c.version++
	}
	c.newTopics = c.version
}
