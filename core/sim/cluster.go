package sim

import (
	"fmt"
	"slices"
	"strings"

	"groupscope/core/client"
	"groupscope/core/coordinator"
	"groupscope/core/protocol"
)

// setTopics creates, changes and deletes the named topics. A topic that is
// created again is another one: foo#2.
func (w *World) setTopics(changes []protocol.Topic) {
	topics := slices.Clone(w.topics)
	for _, t := range changes {
		i, exists := slices.BinarySearchFunc(topics, t.Name, byName)
		switch {
		case exists && t.Partitions == 0:
			topics = slices.Delete(topics, i, i+1)
		case exists:
			t.ID = topics[i].ID
			topics[i] = t
		case t.Partitions > 0:
			t.ID = w.incarnate(t.Name)
			topics = slices.Insert(topics, i, t)
		}
	}
	w.topics = topics
	w.ids = make([]protocol.TopicID, len(topics))
	for i, t := range topics {
		w.ids[i] = t.ID
		w.ledger.exists(w.now, t)
	}
	w.coordinator.SetTopics(w.now, topics)
	w.view.topics++
}

func (w *World) incarnate(name string) protocol.TopicID {
	i, known := slices.BinarySearchFunc(w.born, name, func(b incarnations, n string) int { return strings.Compare(b.name, n) })
	if !known {
		w.born = slices.Insert(w.born, i, incarnations{name: name})
	}
	w.born[i].count++
	if n := w.born[i].count; n > 1 {
		return protocol.TopicID(fmt.Sprintf("%s#%d", name, n))
	}
	return protocol.TopicID(name)
}

// changeTopics is the action. Clients learn of it at once.
func (w *World) changeTopics(a SetTopics) {
	w.setTopics(a.Topics)
	w.cause = w.emit(TopicsChanged{Topics: w.topics})
	for i := range w.members {
		if m := &w.members[i]; m.running() {
			w.react(m, w.own(m).Metadata(w.now, w.ids))
		}
	}
}

// failOver moves the group to a coordinator that is rebuilt from the log. The
// connections to the old one break; clients find the new one and start with a
// full request there.
func (w *World) failOver() {
	records := w.coordinator.Log()
	before, _ := w.coordinator.Group(w.groupID)
	loaded, err := coordinator.Load(w.config, records, w.topics, w.now)
	if err != nil {
		panic(fmt.Sprintf("sim: the log cannot be loaded: %v", err))
	}
	w.coordinator = loaded
	after, _ := loaded.Group(w.groupID)
	w.cause = w.emit(FailedOver{Records: len(records)})
	if text := difference(before, after); text != "" {
		w.emit(Violated{Violation{Invariant: invariantLog, Text: text, Since: w.now}})
	}
	for i := range w.members {
		m := &w.members[i]
		if !m.running() {
			continue
		}
		w.breakConnection(m, "disconnect")
		if m.client.State() != client.Fatal {
			w.react(m, w.own(m).CoordinatorMoved(w.now))
		}
	}
}
