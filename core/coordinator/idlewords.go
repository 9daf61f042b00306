package coordinator

// idleWords are the decisions of heartbeats that found a member settled, by
// the member as it stands in the group: the same each time, and most
// heartbeats are such.
type idleWords[Member comparable] map[Member][]Decision

// say explains that nothing changes for a stored member. What is said besides
// goes into a list of its own: the kept one is full.
func (w *idleWords[Member]) say(o *operation, m Member, rule, id string, epoch int32) {
	if len(o.said) > 0 {
		o.say(idle, rule, textSettled(id, epoch))
		return
	}
	said, known := (*w)[m]
	if !known {
		if *w == nil {
			*w = idleWords[Member]{}
		}
		said = []Decision{{Rule: rule, Text: textSettled(id, epoch), Main: true}}
		(*w)[m] = said
	}
	o.said, o.weight = said, idle
}
