package sim

import (
	"fmt"
	"slices"

	"groupscope/core/coordinator"
	"groupscope/core/record"
)

// load begins with a log that was written before. The error names the first
// record that cannot follow those before it.
func (w *World) load(log []record.Record) error {
	if len(log) == 0 {
		return nil
	}
	loaded, err := coordinator.Load(w.config, log, w.topics, w.now)
	if err != nil {
		return fmt.Errorf("sim: %w", err)
	}
	log = withHash(log, loaded, w.groupID)
	if w.coordinator, err = coordinator.Load(w.config, log, w.topics, w.now); err != nil {
		return fmt.Errorf("sim: %w", err)
	}
	for i, r := range log {
		w.log.Append(LogEntry{Offset: i, At: w.now, Record: r})
		w.enter(r)
	}
	w.targeted = w.topics
	w.noteTasks(log)
	w.watch(0)
	w.out, w.events = nil, 0
	return nil
}

// withHash fills in what the last record of the group's epoch lacks: the hash
// of the topics, and the assignment configs of a streams group.
func withHash(log []record.Record, of *coordinator.Coordinator, group string) []record.Record {
	log = slices.Clone(log)
	for i, r := range slices.Backward(log) {
		switch v := r.Value.(type) {
		case record.GroupMetadataValue:
			if v.MetadataHash == 0 {
				v.MetadataHash = of.TopicsHash(group)
			}
			log[i].Value = v
			return log
		case record.StreamsGroupMetadataValue:
			if v.MetadataHash == 0 {
				v.MetadataHash = of.TopicsHash(group)
			}
			if v.LastAssignmentConfigs == nil {
				v.LastAssignmentConfigs = of.AssignmentConfigs(group)
			}
			log[i].Value = v
			return log
		}
	}
	return log
}
