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
	log = withHash(log, loaded.TopicsHash(w.groupID))
	if w.coordinator, err = coordinator.Load(w.config, log, w.topics, w.now); err != nil {
		return fmt.Errorf("sim: %w", err)
	}
	for i, r := range log {
		w.log.Append(LogEntry{Offset: i, At: w.now, Record: r})
		w.enter(r)
	}
	w.targeted = w.topics
	w.watch(0)
	w.out, w.events = nil, 0
	return nil
}

// withHash fills the hash in that the last record of the group's epoch lacks.
func withHash(log []record.Record, hash int64) []record.Record {
	log = slices.Clone(log)
	for i, r := range slices.Backward(log) {
		if v, ok := r.Value.(record.GroupMetadataValue); ok {
			if v.MetadataHash == 0 {
				v.MetadataHash = hash
				log[i].Value = v
			}
			return log
		}
	}
	return log
}
