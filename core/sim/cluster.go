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
	for i := 0; i < len(topics) && w.topology == nil; i++ {
		w.ledger.exists(w.now, topics[i])
	}
	w.broker().SetTopics(w.now, topics)
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

// news is what clients will know of the cluster's topics at an instant.
type news struct {
	slot
	topics []protocol.TopicID
}

func (w *World) ids() []protocol.TopicID {
	out := make([]protocol.TopicID, len(w.topics))
	for i, t := range w.topics {
		out[i] = t.ID
	}
	return out
}

// changeTopics is the action. Clients learn of it at once, or after a delay;
// what they would have learnt later of an earlier change is part of it.
// Internal are those of the topics that the broker created by itself.
func (w *World) changeTopics(a SetTopics, internal []string) {
	w.hide(a)
	w.setTopics(a.Topics)
	w.cause = w.emit(TopicsChanged{Topics: w.topics, Internal: internal})
	at := w.now.Add(a.Delay)
	earlier := slices.DeleteFunc(slices.Clone(w.news), func(n news) bool { return n.at >= at })
	w.news = append(earlier, news{slot{at, w.next()}, w.ids()})
	if a.Delay == 0 {
		w.tellClients()
	}
}

// hide makes the changed topics visible to clients, or invisible.
func (w *World) hide(a SetTopics) {
	hidden := slices.Clone(a.Hidden)
	for _, name := range w.config.HiddenTopics {
		if !slices.ContainsFunc(a.Topics, func(t protocol.Topic) bool { return t.Name == name }) {
			hidden = append(hidden, name)
		}
	}
	slices.Sort(hidden)
	w.config.HiddenTopics = hidden
	w.broker().HideTopics(hidden)
}

// learn has clients know of what changed some time ago.
func (w *World) learn() {
	w.cause = w.emit(TopicsLearnt{Topics: w.news[0].topics})
	w.tellClients()
}

func (w *World) tellClients() {
	w.known, w.news = w.news[0].topics, w.news[1:]
	for i := range w.members {
		if m := &w.members[i]; m.running() {
			w.react(m, w.own(m).Metadata(w.now, w.known))
			w.ledAnew(m)
		}
	}
}

// changeMember gives a member other settings. Its client goes on with those
// it was made with, but for the times of its callbacks.
func (w *World) changeMember(m *member, to MemberChange) {
	setup := to.Apply(*m.setup)
	m.setup, m.view = &setup, nil
	w.view.stale = true
	if m.client == nil {
		return
	}
	c := w.own(m)
	c.SetCallbackTime(client.PartitionsRevoked, setup.RevokeTime)
	c.SetCallbackTime(client.PartitionsAssigned, setup.AssignTime)
	c.SetCallbackTime(client.PartitionsLost, setup.LostTime)
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
	w.coordinator, w.shared, w.bytes, w.background, w.waiting = loaded, false, stateBytes{}, slot{}, nil
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
