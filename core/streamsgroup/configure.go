package streamsgroup

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"groupscope/core/assignor"
	"groupscope/core/protocol"
)

// Topics is the cluster's metadata: which topics exist now.
type Topics interface {
	Named(name string) (protocol.Topic, bool)
}

// Configured is a topology brought together with the topics of the cluster.
// It is never changed once made.
type Configured struct {
	// Topology has the subtopologies sorted by id and every partition count
	// decided. Both it and Tasks are nil when the status leaves the counts
	// open.
	Topology *protocol.Topology
	Tasks    []assignor.StreamsSubtopology
	// Status is what is wrong with the topics, nil for nothing.
	Status *protocol.Status
	// Missing are the source topics that do not exist, Mismatching those with
	// another partition count than needed, Creatable the internal topics that
	// do not exist. Sorted.
	Missing, Mismatching []string
	Creatable            []protocol.CreatableTopic
}

// Ready reports whether the topics are as the topology needs them.
func (c *Configured) Ready() bool { return c.Status == nil }

// Known reports whether the subtopologies and their tasks are known.
func (c *Configured) Known() bool { return c.Topology != nil }

// Runs reports whether there is such a task.
func (c *Configured) Runs(task protocol.Partition) bool {
	i, ok := c.find(task.Topic)
	return ok && task.Number >= 0 && task.Number < c.Tasks[i].Tasks
}

// Subtopology finds a subtopology by id; nil when there is none.
func (c *Configured) Subtopology(id protocol.TopicID) *protocol.Subtopology {
	if i, ok := c.find(id); ok {
		return &c.Topology.Subtopologies[i]
	}
	return nil
}

func (c *Configured) find(id protocol.TopicID) (int, bool) {
	return slices.BinarySearchFunc(c.Tasks, id, func(s assignor.StreamsSubtopology, id protocol.TopicID) int {
		return cmp.Compare(s.ID, id)
	})
}

// InvalidTopology is a topology that no topics could ever be right for.
type InvalidTopology struct {
	Text string
	// CopartitionIndex says that a copartition group names a topic that its
	// subtopology does not have, which the broker does not look out for.
	CopartitionIndex bool
}

// Error implements error.
func (e *InvalidTopology) Error() string { return e.Text }

func invalid(format string, args ...any) error {
	return &InvalidTopology{Text: fmt.Sprintf(format, args...)}
}

// mismatch is why partition counts cannot be right.
type mismatch struct {
	text   string
	topics []string
}

func (m *mismatch) Error() string { return m.text }

// Configure decides the partition count of every internal topic and the
// number of tasks, and says what is wrong with the topics of the cluster. The
// error, if any, is an *InvalidTopology.
func Configure(t *protocol.Topology, topics Topics) (*Configured, error) {
	c := &configuration{topology: t, topics: topics, decided: map[string]int32{}, explicit: map[string]bool{}}
	for _, id := range assignor.HashOrder(len(t.Subtopologies), func(i int) string { return t.Subtopologies[i].ID }) {
		c.walk = append(c.walk, &t.Subtopologies[id])
	}
	if err := c.checkIndexes(); err != nil {
		return nil, err
	}
	if missing := c.missingSources(); len(missing) > 0 {
		return &Configured{
			Status: &protocol.Status{
				Code:   protocol.MissingSourceTopics,
				Detail: "Source topics " + firstOf(missing) + " are missing.",
			},
			Missing: missing,
		}, nil
	}
	for _, step := range []func() error{c.decideRepartition, c.copartition, c.decideChangelogs, c.compareInternal} {
		if err := step(); err != nil {
			if m, ok := err.(*mismatch); ok {
				return incorrectlyPartitioned(m), nil
			}
			return nil, err
		}
	}
	return c.configured(), nil
}

func incorrectlyPartitioned(m *mismatch) *Configured {
	slices.Sort(m.topics)
	return &Configured{
		Status:      &protocol.Status{Code: protocol.IncorrectlyPartitionedTopics, Detail: m.text},
		Mismatching: slices.Compact(m.topics),
	}
}

// mostNamed is how many topics a status names.
const mostNamed = 3

func firstOf(names []string) string {
	text := strings.Join(names[:min(len(names), mostNamed)], ", ")
	if more := len(names) - mostNamed; more > 0 {
		text += " and " + strconv.Itoa(more) + " more"
	}
	return text
}

// configuration is a topology being configured.
type configuration struct {
	topology *protocol.Topology
	topics   Topics
	walk     []*protocol.Subtopology // as the broker walks them
	decided  map[string]int32        // the counts of internal topics
	explicit map[string]bool         // repartition topics with a count of their own
	tasks    map[string]int32        // of each subtopology
}

// missingSources lists the source topics that do not exist, sorted.
func (c *configuration) missingSources() []string {
	var out []string
	for _, s := range c.walk {
		for _, name := range s.SourceTopics {
			if _, ok := c.topics.Named(name); !ok {
				out = append(out, name)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// partitions is a topic's count: as it is, or as it was decided; false when
// neither is known.
func (c *configuration) partitions(name string) (int32, bool) {
	if topic, ok := c.topics.Named(name); ok {
		return topic.Partitions, true
	}
	n, ok := c.decided[name]
	return n, ok
}

// sources are the names of a subtopology's source and repartition source
// topics.
func sources(s *protocol.Subtopology) []string {
	out := slices.Clone(s.SourceTopics)
	for _, topic := range s.RepartitionSourceTopics {
		out = append(out, topic.Name)
	}
	return out
}

// internal calls f with every internal topic: repartition sources and
// changelogs, in the order of the subtopologies' ids.
func (c *configuration) internal(f func(*protocol.TopicInfo)) {
	for _, s := range byID(c.topology) {
		for _, list := range [][]protocol.TopicInfo{s.RepartitionSourceTopics, s.StateChangelogTopics} {
			for i := range list {
				f(&list[i])
			}
		}
	}
}

// decideChangelogs gives a changelog topic, and the number of tasks, the
// largest count of what its subtopology reads.
func (c *configuration) decideChangelogs() error {
	c.tasks = make(map[string]int32, len(c.walk))
	for _, s := range c.walk {
		most, found := int32(0), false
		for _, name := range sources(s) {
			n, ok := c.partitions(name)
			if !ok {
				return invalid("The number of partitions of %s is not known.", name)
			}
			most, found = max(most, n), true
		}
		if !found {
			return invalid("Subtopology %s reads no topic.", s.ID)
		}
		for _, topic := range s.StateChangelogTopics {
			c.decided[topic.Name] = most
		}
		c.tasks[s.ID] = most
	}
	return nil
}

// compareInternal checks the internal topics that exist already.
func (c *configuration) compareInternal() error {
	var wrong, texts []string
	c.internal(func(t *protocol.TopicInfo) {
		topic, ok := c.topics.Named(t.Name)
		if want := c.decided[t.Name]; ok && topic.Partitions != want && !slices.Contains(wrong, t.Name) {
			wrong = append(wrong, t.Name)
			texts = append(texts, fmt.Sprintf("%s has %d partitions and needs %d", t.Name, topic.Partitions, want))
		}
	})
	if len(wrong) == 0 {
		return nil
	}
	return &mismatch{firstOf(texts) + ".", wrong}
}

// configured is the outcome when every count is decided.
func (c *configuration) configured() *Configured {
	out := &Configured{Topology: &protocol.Topology{Epoch: c.topology.Epoch}}
	for _, s := range byID(c.topology) {
		counted := *s
		counted.StateChangelogTopics = c.counted(s.StateChangelogTopics)
		counted.RepartitionSourceTopics = c.counted(s.RepartitionSourceTopics)
		out.Topology.Subtopologies = append(out.Topology.Subtopologies, counted)
		out.Tasks = append(out.Tasks, assignor.StreamsSubtopology{
			ID: protocol.TopicID(s.ID), Tasks: c.tasks[s.ID], Stateful: s.Stateful(),
		})
	}
	c.internal(func(t *protocol.TopicInfo) {
		if _, ok := c.topics.Named(t.Name); !ok {
			out.Creatable = append(out.Creatable, protocol.CreatableTopic{
				Name: t.Name, Partitions: c.decided[t.Name],
				ReplicationFactor: cmp.Or(t.ReplicationFactor, -1), Configs: t.Configs,
			})
		}
	})
	byName := func(a, b protocol.CreatableTopic) int { return cmp.Compare(a.Name, b.Name) }
	slices.SortStableFunc(out.Creatable, byName)
	out.Creatable = slices.CompactFunc(out.Creatable, func(a, b protocol.CreatableTopic) bool { return a.Name == b.Name })
	if len(out.Creatable) > 0 {
		names := make([]string, len(out.Creatable))
		for i, topic := range out.Creatable {
			names[i] = topic.Name
		}
		out.Status = &protocol.Status{
			Code:   protocol.MissingInternalTopics,
			Detail: "Internal topics are missing: " + firstOf(names) + ".",
		}
	}
	return out
}

func (c *configuration) counted(list []protocol.TopicInfo) []protocol.TopicInfo {
	out := slices.Clone(list)
	for i := range out {
		out[i].Partitions = c.decided[out[i].Name]
	}
	return out
}
