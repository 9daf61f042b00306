package board_test

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/coordinator"
	"groupscope/core/playback"
	"groupscope/core/protocol"
	"groupscope/core/record"
	"groupscope/core/sim"
	"groupscope/render/board"
	"groupscope/render/scene"
	"groupscope/render/svg"
)

// worker is a member of a streams group and its client, in one line.
type worker struct {
	name, process                        string
	epoch                                int32
	active, standby, warmup              string
	pendActive, pendStandby, waits, free string
	aim, aimStandby, aimWarmup           string
	topology                             int32
	knows                                int32
	opens, restores                      string // active tasks of its client
	status                               []protocol.StatusCode
}

// workshop is the state of group enrich: two subtopologies of so many tasks.
func workshop(epoch int32, tasks int32, workers ...worker) *sim.State {
	s := &sim.State{At: start, Start: start, GroupID: "enrich", SessionTimeout: 45 * protocol.Second}
	g := &coordinator.Group{ID: "enrich", GroupEpoch: epoch, AssignmentEpoch: epoch, State: coordinator.Stable, Streams: &coordinator.StreamsGroup{
		TopologyEpoch: 1, ValidatedTopologyEpoch: 1, Ready: true, EndpointInformationEpoch: 7,
		Tasks: []coordinator.SubtopologyTasks{{Subtopology: "0", Tasks: tasks}, {Subtopology: "1", Tasks: tasks, Stateful: true}},
	}}
	for _, w := range workers {
		endpoint := &protocol.Endpoint{Host: w.process, Port: 9090}
		var statuses []protocol.Status
		for _, code := range w.status {
			statuses = append(statuses, protocol.Status{Code: code})
		}
		c := &sim.ClientState{Member: w.name, ID: w.name, State: "STABLE", Epoch: w.epoch, Owned: set(w.active + "," + w.pendActive), Revoking: set(w.pendActive), Streams: &sim.StreamsClient{
			Process: w.process, Endpoint: endpoint, TopologyEpoch: w.topology, Standby: set(w.standby + "," + w.pendStandby), Warmup: set(w.warmup),
			RevokingStandby: set(w.pendStandby), EndpointEpoch: w.knows, Status: statuses,
		}}
		if w.opens != "" {
			c.State, c.Adding = "RECONCILING", set(w.opens)
		}
		for _, task := range parts(w.restores) {
			c.Streams.Progress = append(c.Streams.Progress, sim.TaskProgress{Task: task, Offset: 30, End: 100})
		}
		m := &coordinator.Member{
			ID: w.name, MemberEpoch: w.epoch, Assigned: held(w.active, w.epoch), PendingRevocation: held(w.pendActive, w.epoch), Waiting: parts(w.waits), Free: parts(w.free),
			Target: set(w.aim), RebalanceTimeout: 300 * protocol.Second, SessionDeadline: start.Add(36 * protocol.Second),
			Streams: &coordinator.StreamsMember{
				TopologyEpoch: w.topology, ProcessID: w.process, UserEndpoint: endpoint, Standby: set(w.standby), Warmup: set(w.warmup), PendingStandby: set(w.pendStandby),
				TargetStandby: set(w.aimStandby), TargetWarmup: set(w.aimWarmup), EndpointEpoch: w.knows,
			},
		}
		for _, task := range parts(w.warmup) {
			m.Streams.TaskOffsets = append(m.Streams.TaskOffsets, protocol.TaskOffset{Task: task, Offset: 70})
			m.Streams.TaskEndOffsets = append(m.Streams.TaskEndOffsets, protocol.TaskOffset{Task: task, Offset: 100})
			c.Streams.Progress = append(c.Streams.Progress, sim.TaskProgress{Task: task, Offset: 70, End: 100})
		}
		switch {
		case w.pendActive+w.pendStandby != "":
			m.State, m.RebalanceDeadline, g.State = record.UnrevokedPartitions, start.Add(279*protocol.Second), coordinator.Reconciling
		case w.waits+w.free != "":
			m.State, g.State = record.UnreleasedPartitions, coordinator.Reconciling
		}
		s.Clients = append(s.Clients, c)
		g.Members = append(g.Members, m)
	}
	slices.SortFunc(g.Members, func(a, b *coordinator.Member) int { return strings.Compare(a.ID, b.ID) })
	s.Group, s.Tasks = g, g.Streams.Tasks
	return s
}

// enrich is the moment of the design's picture: s3 gives up a standby.
func enrich() *sim.State {
	return workshop(5, 4,
		worker{name: "s1", process: "p1", epoch: 5, active: "0 0 1, 1 0", standby: "0 3", aim: "0 0 1, 1 0", aimStandby: "0 3", topology: 1, knows: 7},
		worker{name: "s2", process: "p1", epoch: 5, active: "0 2, 1 1 2", standby: "1 3", aim: "0 2, 1 1 2", aimStandby: "1 3", topology: 1, knows: 7},
		worker{name: "s3", process: "p2", epoch: 4, active: "0 3, 1 3", standby: "0 0", pendStandby: "1 0", warmup: "1 2", aim: "0 3, 1 3", aimStandby: "0 0", aimWarmup: "1 2",
			topology: 0, knows: 6, status: []protocol.StatusCode{protocol.StaleTopology}},
	)
}

func picture(t *testing.T, name string, st *sim.State, width, height float32) *scene.Scene {
	t.Helper()
	s := &scene.Scene{}
	f := &playback.Frame{State: st, Now: st.At, Age: playback.Settled}
	board.Group(s, f, &board.View{Width: width, Height: height})
	if dir := os.Getenv("PICTURES"); dir != "" { // to look at them
		out, err := os.Create(dir + "/" + name + ".svg")
		require.NoError(t, err)
		require.NoError(t, svg.Standalone(out, s, "light"))
		require.NoError(t, out.Close())
	}
	return s
}

func TestAStreamsRowSaysWhichProcessRunsWhichTasks(t *testing.T) {
	s := picture(t, "enrich", enrich(), 1280, 0)
	words := texts(s)
	for _, w := range []string{"p1", "p2", "s1", "0_0", "1_3", "topology epoch 1, validated", "Endpoints 7", "reported 7", "reported 6", "is sent the list", "STALE_TOPOLOGY", "topology 0", "Unrevoked"} {
		assert.Contains(t, words, w)
	}
}

func TestStreamsBoardsStayInsideTheirWidthAndReadable(t *testing.T) {
	for _, w := range []float32{320, 390, 480, 640, 768, 1024, 1280, 1600} {
		for name, st := range map[string]*sim.State{"enrich": enrich(), "matrix": mill()} {
			s := picture(t, name+"-"+itoa(int(w)), st, w, 0)
			for _, l := range s.Base.Labels {
				assert.GreaterOrEqual(t, l.Size, float32(14), "%s at %v: %q", name, w, l.Text)
				from, to := l.X, l.X+scene.Measure(l.Text, l.Size, l.Weight)
				switch l.Anchor {
				case scene.Middle:
					from, to = from-(to-from)/2, from+(to-from)/2
				case scene.End:
					from, to = 2*from-to, from
				}
				assert.True(t, from >= 0 && to <= w+1, "%s at %v: %q from %v to %v", name, w, l.Text, from, to)
			}
		}
	}
}

func TestAMatrixOfTasksCountsRolesAndKeepsProcessesTogether(t *testing.T) {
	words := texts(picture(t, "mill", mill(), 1280, 0))
	for _, w := range []string{"p1", "p4", "Subtopology 0", "Subtopology 1", "active", "standby", "warm", "waits, standby"} {
		assert.Contains(t, words, w)
	}
}

func TestARoleThatChangedWearsARing(t *testing.T) {
	before := enrich()
	after := workshop(5, 4,
		worker{name: "s1", process: "p1", epoch: 5, active: "0 0 1, 1 0", standby: "0 3", aim: "0 0 1, 1 0", aimStandby: "0 3", topology: 1, knows: 7},
		worker{name: "s2", process: "p1", epoch: 5, active: "0 2, 1 1 2", standby: "1 3", aim: "0 2, 1 1 2", aimStandby: "1 3", topology: 1, knows: 7},
		worker{name: "s3", process: "p2", epoch: 5, active: "0 3, 1 3", standby: "0 0, 1 0", warmup: "1 2", aim: "0 3, 1 3", aimStandby: "0 0", aimWarmup: "1 2", topology: 0, knows: 6},
	)
	rings := func(before *sim.State) int {
		s := &scene.Scene{}
		board.Group(s, &playback.Frame{State: after, Before: before, Changes: playback.Diff(before, after, nil), Now: after.At, Age: playback.Settled}, &board.View{Width: 1280})
		n := 0
		for _, shape := range s.Base.Shapes {
			if shape.Stroke == scene.Ink && shape.Fill == scene.NoColor && shape.Width == 2 {
				n++
			}
		}
		return n
	}
	assert.Greater(t, rings(before), rings(nil))
}

// mill has twelve members in four processes.
func mill() *sim.State {
	var many []worker
	for i := range 12 {
		w := worker{name: "s" + itoa(i+1), process: "p" + itoa(i/3+1), epoch: 7, topology: 1, knows: 7}
		w.active = "0 " + itoa(2*i) + " " + itoa(2*i+1) + ", 1 " + itoa(2*i)
		w.standby = "1 " + itoa((2*i+7)%24)
		w.aim, w.aimStandby = w.active, w.standby
		if i == 3 {
			w.epoch, w.pendActive, w.pendStandby = 6, "1 7", "0 20"
		}
		if i > 9 {
			w.warmup, w.waits = "0 "+itoa(i), "1 7"
		}
		many = append(many, w)
	}
	return workshop(7, 24, many...)
}

func itoa(n int) string { return strconv.Itoa(n) }

func TestInThePagesWidthTopologyEndpointsAndProcessesAreSaidInWords(t *testing.T) {
	words := texts(picture(t, "enrich-page", enrich(), 768, 0))
	for _, w := range []string{"topology epoch 1, validated, endpoint epoch 7", "p1", "p2", "STALE_TOPOLOGY", "endpoint epoch: 6"} {
		assert.Contains(t, words, w)
	}
}

func TestTasksThatReadTheSameInputAreMarkedInTheBooks(t *testing.T) {
	st := enrich()
	disc := func() (n int) {
		for _, shape := range picture(t, "enrich-twice", st, 1280, 0).Over.Shapes {
			if shape.Mark == scene.Cross {
				n++
			}
		}
		return n
	}
	assert.Zero(t, disc())
	st.Violations = []sim.Violation{{Partitions: []protocol.Partition{{Topic: "0", Number: 0}, {Topic: "1", Number: 3}}, Members: []string{"s1", "s3"}}}
	assert.Equal(t, 2, disc())
}
