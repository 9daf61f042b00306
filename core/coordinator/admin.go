package coordinator

import (
	"groupscope/core/protocol"
	"groupscope/core/record"
)

// DeleteGroup deletes a group that nobody is in, with its offsets
// (DeleteGroups).
func (c *Coordinator) DeleteGroup(now protocol.Instant, id string) AdminResult {
	o := operation{c: c, now: now}
	g := c.groups[id]
	switch {
	case g == nil:
		return o.admin(protocol.GroupIDNotFound, ruleDelete, "There is no group "+id+".")
	case !g.empty():
		return o.admin(protocol.NonEmptyGroup, ruleDelete, "Group "+id+" has members. Only an empty group can be deleted.")
	}
	o.records = append(c.offsets.tombstones(id), g.tombstones()...)
	c.write(o.records)
	return o.admin(protocol.None, ruleDelete, "Group "+id+" is deleted.")
}

// Cleanup is one run of the broker's periodic expiration: offsets that are
// older than OffsetsRetention and of topics that the group does not read go,
// and then groups with neither members nor offsets.
func (c *Coordinator) Cleanup(now protocol.Instant) AdminResult {
	o := operation{c: c, now: now}
	for _, id := range c.table.Walk() {
		g := c.groups[id]
		expired, all := c.offsets.expired(id, g.reads, now, c.cfg.OffsetsRetention)
		o.records = append(o.records, expired...)
		if len(expired) > 0 {
			o.say(cause, ruleOffsetExpiry, textOffsetsExpired(id, len(expired)))
		}
		if all && g.empty() {
			o.records = append(o.records, g.tombstones()...)
			o.say(effect, ruleExpiry, "Group "+id+" is empty and has no offsets. It is deleted.")
		}
	}
	if len(o.records) == 0 {
		o.say(idle, ruleExpiry, "No group is both empty and without offsets. Nothing changes.")
	}
	c.write(o.records)
	return AdminResult{Records: o.records, Decisions: o.decisions()}
}

func (o *operation) admin(code protocol.ErrorCode, rule, text string) AdminResult {
	o.say(final, rule, text)
	return AdminResult{Error: code, Records: o.records, Decisions: o.decisions()}
}

// tombstone deletes what a key addresses.
func tombstone(key record.Key) record.Record { return record.Record{Key: key} }
