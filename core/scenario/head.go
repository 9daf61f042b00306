package scenario

import (
	"fmt"
	"math"
	"slices"

	"groupscope/core/coordinator"
	"groupscope/core/protocol"
	"groupscope/core/rules"
	"groupscope/core/sim"
)

// Version is the value of the key "groupscope" that this package reads.
const Version = 1

// maxTitle is how many characters a title may have.
const maxTitle = 100

// DefaultGroup is the group's id when a file names none.
const DefaultGroup = "example"

// topKeys are the keys of a file, in the order in which they are best written.
var topKeys = []string{
	"groupscope", "title", "summary", "pack", "order", "protocol", "rules", "seed", "group", "config", "topics",
	"topology", "topologies", "internal-topics", "resolve-time", "log", "members", "steps",
}

// The group protocols that a file may be about; the first is the default.
const (
	consumerProtocol = "consumer"
	streamsProtocol  = "streams"
)

var protocols = []string{consumerProtocol, streamsProtocol}

// ruleSets are the names a file may ask for.
var ruleSets = []string{"kip", "kafka"}

// readScenario fills sc from the file's tree.
func readScenario(r *reader, root *node, sc *Scenario) {
	if root.kind != mapping {
		r.wanted(root, "a scenario is a mapping that begins with groupscope: 1")
		return
	}
	if v := root.get("groupscope"); v == nil {
		r.fault(root, "the key groupscope is missing", "A scenario begins with groupscope: 1")
	} else if v.text != "1" || v.kind != number {
		r.fault(v, "this version of the format is not known", "Write groupscope: 1")
	}
	r.mapping(root, "", topKeys)
	readAbout(r, root, sc)

	setup := sim.Setup{Seed: 1, GroupID: DefaultGroup, Jitter: true}
	if n := root.get("seed"); n != nil {
		v, _ := r.integer(n, "a seed is a whole number", 0, math.MaxInt64)
		setup.Seed = uint64(v)
	}
	if n := root.get("group"); n != nil {
		setup.GroupID, _ = r.name(n, "a group's id is a name")
	}
	var config settings
	if n := root.get("config"); n != nil {
		config = r.config(n)
		r.checkBounds(n, config, sc.Rules)
	}
	setup.Settings, r.world.config = config.group, config
	setup.ResolveTime = r.resolveTime(root)
	r.surveyTopics(root)
	if n := root.get("topics"); n != nil {
		setup.Topics, setup.Hidden = r.topics(n)
	} else {
		r.fault(root, "the key topics is missing", "For instance topics: {foo: 3}")
	}
	r.streamsHead(root, &setup)
	logged := root.get("log")
	if logged != nil {
		setup.Log = r.readLog(logged, setup.GroupID, setup.Topology)
	}
	if n := root.get("members"); n != nil {
		setup.Members = r.members(n)
	} else {
		r.fault(root, "the key members is missing", "For instance members: {A: {subscribe: [foo]}}")
	}
	if n := root.get("steps"); n != nil {
		sc.Steps = r.steps(n, config.heartbeatInterval(r.world.prefix()), len(setup.Members))
	} else {
		r.fault(root, "the key steps is missing", "It may be an empty list: steps: []")
	}
	sc.root, sc.topologies = root, r.world.topologies
	sc.Setup = func(name string) sim.Setup {
		rs, _ := rules.ByName(name)
		out := setup
		out.Config = coordinator.DefaultConfig(rs)
		config.apply(&out.Config, out.Topology != nil)
		return out
	}
	if logged != nil && len(r.diagnostics) == 0 {
		r.checkLog(logged, sc.Setup(sc.Rules[0]))
	}
}

// DefaultResolveTime is how long the coordinator takes to resolve regexes.
const DefaultResolveTime = 50 * protocol.Millisecond

func (r *reader) resolveTime(root *node) protocol.Duration {
	i := slices.IndexFunc(root.entries, func(e entry) bool { return e.key.text == "resolve-time" })
	if i < 0 {
		return DefaultResolveTime
	}
	if r.world.streams {
		r.misplaced(root.entries[i].key, "resolve-time", consumerProtocol)
	}
	n := root.entries[i].value
	d, ok := r.duration(n)
	if ok && d > MaxRun {
		r.fault(n, "out of range: resolve-time is from 0s to "+MaxRun.String(), "")
	}
	return d
}

// readAbout reads the keys that say what the file is, not what happens in it.
func readAbout(r *reader, root *node, sc *Scenario) {
	if n := root.get("title"); n != nil {
		sc.Title = r.words(n, "a title is a text", maxTitle)
	} else {
		r.fault(root, "the key title is missing", "Say in a few words what the scenario shows")
	}
	if n := root.get("summary"); n != nil {
		sc.Summary = r.words(n, "a summary is a text", 500)
	}
	if n := root.get("pack"); n != nil {
		sc.Pack = r.words(n, "a pack is the title of a part of the gallery", 60)
	}
	if n := root.get("order"); n != nil {
		v, _ := r.integer(n, "an order is a whole number", 0, 1_000_000)
		sc.Order = int(v)
	}
	sc.Protocol = protocols[0]
	if n := root.get("protocol"); n != nil {
		if name, ok := r.oneOf(n, "protocol", protocols); ok {
			sc.Protocol = name
		}
	}
	r.world.streams = sc.Protocol == streamsProtocol
	sc.Rules = []string{"kip"}
	if n := root.get("rules"); n != nil {
		sc.Rules = r.ruleSets(n)
	}
}

func (r *reader) ruleSets(n *node) []string {
	items, ok := r.names(n, "rules are kip, kafka, or both in a list")
	if !ok {
		return nil
	}
	if len(items) == 0 {
		r.fault(n, "the list is empty: rules are kip, kafka, or both", "")
	}
	var out []string
	for _, item := range items {
		name, ok := r.oneOf(item, "rule set", ruleSets)
		switch {
		case !ok:
		case slices.Contains(out, name):
			r.fault(item, "the rule set "+name+" stands here twice", "")
		default:
			out = append(out, name)
		}
	}
	return out
}

// world is what the reader knows of the file when it checks the steps.
type world struct {
	loose   bool // a lone action, of no file: nothing can be checked against it
	members []string
	ever    []string          // every topic that the file names, in order
	topics  []string          // those that were created so far
	most    map[string]int32  // and the most partitions that each has had
	size    map[string]int32  // how many each has now
	all     int               // partitions of all topics so far
	created int               // topics so far; one created again is another
	steps   map[string]int    // names of steps with their lines
	joined  map[string]bool   // members with a join step so far
	minPoll protocol.Duration // the least time between two polls of any member; 0: none polls

	config  settings // of the broker
	inSteps bool     // the head has been read
	senders []string // member ids of heartbeats that no member sends

	streams       bool                          // a streams group
	other         bool                          // whose id belongs to a group of another type at the start
	topologies    map[string]*protocol.Topology // by their names
	subtopologies []string                      // of all topologies, in the order of the file
	parts         map[string]*part              // the same by their ids
	largest       int32                         // the most partitions that the file gives to a repartition topic
}

// noteTopic remembers a topic that was created, and its size.
func (w *world) noteTopic(name string, partitions int32) {
	if w.most == nil {
		w.most, w.size = map[string]int32{}, map[string]int32{}
	}
	if _, known := w.most[name]; !known {
		w.topics = append(w.topics, name)
	}
	w.most[name] = max(w.most[name], partitions)
}

// growth counts a change of a topic in, and says which limit is passed with
// it for the first time; "" for none.
func (w *world) growth(name string, partitions int32) string {
	was := w.size[name]
	w.size[name] = partitions
	all, created := w.all, w.created
	w.all += max(0, int(partitions-was))
	if was == 0 && partitions > 0 {
		w.created++
	}
	switch {
	case all <= MaxPartitions && w.all > MaxPartitions:
		return fmt.Sprintf("with this topic there are %s partitions: the limit is %s", grouped(w.all), grouped(MaxPartitions))
	case created <= MaxTopics && w.created > MaxTopics:
		return fmt.Sprintf("with this one there are %s topics: the limit is %s", grouped(w.created), grouped(MaxTopics))
	}
	return ""
}

// member reads the name of a member of the file.
func (r *reader) member(n *node) (string, bool) {
	name, ok := r.name(n, "the name of a member belongs here")
	if !ok || r.world.loose {
		return name, ok
	}
	if !slices.Contains(r.world.members, name) {
		r.fault(n, "no member "+name, theFileHas(name, r.world.members, "members"))
		return name, false
	}
	return name, true
}

func theFileHas(name string, known []string, what string) string {
	if len(known) == 0 {
		return "The file has no " + what
	}
	if near := nearest(name, known); near != "" && len(known) > 3 {
		return "Did you mean " + near + "?"
	}
	return "The file has " + andList(known)
}

// topic reads the name of a topic that was created before.
func (r *reader) topic(n *node) (string, bool) {
	name, ok := r.topicName(n)
	if !ok || r.world.loose {
		return name, ok
	}
	base := protocol.TopicID(name).Name()
	if _, known := r.world.most[base]; !known {
		r.fault(n, "no topic "+base, theFileHas(base, r.world.topics, "topics"))
		return name, false
	}
	return name, true
}
