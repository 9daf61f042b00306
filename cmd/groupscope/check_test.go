package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const gallery = "../../scenarios"

// groupscope runs the command and returns what it prints and its exit code.
func groupscope(args ...string) (stdout, stderr string, code int) {
	var out, err bytes.Buffer
	code = dispatch(args, &out, &err)
	return out.String(), err.String(), code
}

// lastLine is the line that counts.
func lastLine(out string) string {
	lines := strings.Split(strings.TrimSpace(out), "\n")
	return lines[len(lines)-1]
}

func TestTheGalleryPasses(t *testing.T) {
	out, errs, code := groupscope("check", gallery)
	assert.Equal(t, exitOK, code, out)
	assert.Regexp(t, `^\d{3} passed, 0 failed\n$`, out)
	assert.Empty(t, errs)
}

// TestOneChangedEpochFailsAtItsLineAndColumn: each expected group epoch of the
// worked example is changed in turn, on a copy.
func TestOneChangedEpochFailsAtItsLineAndColumn(t *testing.T) {
	src, err := os.ReadFile(filepath.Join(gallery, "kip-848-worked-example.yaml"))
	require.NoError(t, err)
	lines := strings.Split(string(src), "\n")
	tried := 0
	for i, line := range lines {
		before, after, found := strings.Cut(line, "group: {epoch: ")
		if !found {
			continue
		}
		tried++
		changed := append([]string(nil), lines...)
		column := len(before) + len("group: {epoch: ") + 1
		changed[i] = before + "group: {epoch: 9" + after[1:]
		file := filepath.Join(t.TempDir(), "changed.yaml")
		require.NoError(t, os.WriteFile(file, []byte(strings.Join(changed, "\n")), 0o644))

		out, _, code := groupscope("check", file)
		assert.Equal(t, exitFailed, code)
		printed := strings.Split(out, "\n")
		require.Len(t, printed, 7, out)
		assert.Regexp(t, `changed\.yaml:`+strconv.Itoa(i+1)+":"+strconv.Itoa(column)+`: K\d+, kip: group\.epoch: expected 9, got `+after[:1]+"$", printed[0])
		assert.Equal(t, "  "+changed[i], printed[1])
		assert.Equal(t, strings.Repeat(" ", column+1)+"^", printed[2])
		assert.Equal(t, "  - group.epoch: 9", printed[3])
		assert.Equal(t, "  + group.epoch: "+after[:1], printed[4])
		assert.Equal(t, "0 passed, 1 failed", printed[5])
	}
	assert.Equal(t, 13, tried, "K1 to K13")
}

func TestARunCountsOncePerRuleSetAndABadFileOnce(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	head := "groupscope: 1\ntitle: t\nrules: [kip, kafka]\ntopics: {foo: 1}\nmembers: {A: {subscribe: [foo]}}\n"
	write("bad.yaml", head+"steps: [{crsh: A}]\n")
	write("both.yaml", head+"steps: [{join: A}]\n")
	write("half.yml", head+"steps: [{join: A, expect: {group: {epoch: 1}}}]\n")
	write("refused.yaml", head+"steps: [{join: A}, {join: A}]\n")
	write("readme.txt", "not a scenario")
	out, _, code := groupscope("check", dir)
	assert.Equal(t, exitFailed, code)
	assert.Equal(t, "3 passed, 4 failed", lastLine(out))
	assert.Contains(t, out, "bad.yaml:6:10: no such step: crsh. Did you mean crash?")
	assert.Contains(t, out, "half.yml:6:43: kafka: group.epoch: expected 1, got 2")
	assert.Contains(t, out, "refused.yaml:6:27: kip: not possible now: ")
	assert.Contains(t, out, "refused.yaml:6:27: kafka: not possible now: ")

	out, _, code = groupscope("check", "-v", filepath.Join(dir, "both.yaml"))
	assert.Equal(t, exitOK, code)
	assert.Contains(t, out, "both.yaml: kip: passed, 1 steps\n")
}

func TestWrongUseSaysHowItIsMeant(t *testing.T) {
	empty := t.TempDir()
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"nothing":         {nil, "usage: groupscope COMMAND"},
		"no such command": {[]string{"chekc"}, "no such command: chekc"},
		"no file":         {[]string{"check"}, "no file or folder given"},
		"no such file":    {[]string{"check", "nowhere.yaml"}, "nowhere.yaml"},
		"empty folder":    {[]string{"check", empty}, "has no .yaml file in it"},
		"no such flag":    {[]string{"check", "-fast"}, "usage: groupscope check [-v] FILE|DIR..."},
		"two files":       {[]string{"trace", "a.yaml", "b.yaml"}, "one file is needed"},
		"no such rules":   {[]string{"trace", filepath.Join(gallery, "a-member-leaves.yaml"), "-rules", "kfaka"}, "no such rule set: kfaka. There are kip and kafka"},
	} {
		out, errs, code := groupscope(c.args...)
		assert.Equal(t, exitUsage, code, name)
		assert.Empty(t, out, name)
		assert.Contains(t, errs, c.want, name)
	}
}

func TestHelpIsNoMistake(t *testing.T) {
	out, _, code := groupscope("help")
	assert.Equal(t, exitOK, code)
	for _, c := range commands {
		assert.Contains(t, out, c.name)
		_, errs, code := groupscope(c.name, "-h")
		assert.Equal(t, exitOK, code)
		assert.Contains(t, errs, "usage: groupscope "+c.name)
	}
}

func TestATraceTellsTheRunStepByStep(t *testing.T) {
	out, errs, code := groupscope("trace", filepath.Join(gallery, "kip-848-worked-example.yaml"))
	require.Equal(t, exitOK, code, errs)
	assert.Contains(t, out, "Three consumers share three partitions\nunder KIP-848 text\n")
	k5 := out[strings.Index(out, "\nK5  heartbeat: A\n"):strings.Index(out, "\nK6  heartbeat: A\n")]
	for _, want := range []string{
		`"A is asked to give up foo-2. B waits."`,
		"request   A: epoch 1",
		"response  A: epoch 1, assignment foo [0, 1]",
		"records   8A",
		"A         epoch 1, UNREVOKED_PARTITIONS; owns foo [0, 1]; revokes foo [2]; target foo [0, 1]",
	} {
		assert.Contains(t, k5, want)
	}

	out, _, code = groupscope("trace", "-rules", "kafka", filepath.Join(gallery, "a-member-crashes.yaml"))
	require.Equal(t, exitOK, code)
	assert.Contains(t, out, "under Kafka 4.4\n")
	assert.Contains(t, out, "47.000s  timer     session timer of A ends\n")
	assert.Regexp(t, `idle +B x \d`, out)
}

func TestATraceOfAClassicGroupSpeaksOfGenerations(t *testing.T) {
	out, errs, code := groupscope("trace", "-rules", "kafka", filepath.Join(gallery, "from-the-classic-protocol.yaml"))
	require.Equal(t, exitOK, code, errs)
	for _, want := range []string{
		"request   A: JoinGroup, subscribes to [foo]\n",
		"response  A: none yet, it waits for the others\n",
		"timer     join timer of the group ends\n",
		"response  A: generation 2, assignment foo [0, 1]\n",
		"group     classic, generation 2, Stable, led by classic-1\n",
		"classic-1 epoch 2, STABLE; owns foo [0, 1]; target foo [0]\n",
	} {
		assert.Contains(t, out, want)
	}
	before, _, _ := strings.Cut(out, "converted  join: C")
	assert.NotContains(t, before, "owns nothing; target", "who has what in a classic group, the coordinator does not know")
}

func TestATraceOfAStreamsGroupSpeaksOfTasksInTheirRoles(t *testing.T) {
	for _, c := range []struct {
		rules, file string
		want        []string
	}{
		{"kafka", "a-standby-takes-over", []string{
			"request   A: epoch 0, process p1, topology 0, runs nothing\n",
			"response  B: epoch 3, tasks nothing, standby 0_0 and 0_1\n",
			"group     epoch 3, target 3, Reconciling, topology 0\n",
			"B         epoch 3, UNRELEASED_TASKS; owns nothing; waits for 0_2; target 0_2; standby 0_0 and 0_1; target standby 0_0 and 0_1; topology 0\n",
			"client    B: onTasksAssigned(0_0 and 0_1, standby 0_2)\n",
		}},
		{"kip", "warm-up-and-hand-over", []string{
			"response  B: epoch 2, tasks nothing, warm-up 0_1\n",
			"request   A: epoch 1, restored 0_0 20000, 0_1 20000\n",
			"B's view  STABLE at epoch 2, runs nothing, warm-up 0_1\n",
		}},
		{"kafka", "a-source-topic-is-missing", []string{
			"response  A: epoch 2, tasks nothing, status MISSING_SOURCE_TOPICS\n",
			"target 2, NotReady, topology 0, status MISSING_SOURCE_TOPICS\n",
		}},
		{"kafka", "where-to-ask", []string{"endpoint h1:9000, runs nothing\n", "endpoint epoch 1: h1:9000 in [0, 1]; h2:9000 nothing\n",
			"A joins, topology 0 is ready to run and the assignment configs are noted for the first time. The group epoch goes from 1 to 2. (",
			"Target 2, by sticky: A 0_0 and 0_1. It differs for the only member. (",
			"B moves to epoch 3. It cannot have 0_1 yet: A still has it. (",
			"A no longer lists 0_1, so it has given it up. It moves to epoch 3. (",
			"B is sent the endpoints, as of endpoint epoch 2. (",
		}},
		{"kip", "copartitioned-topics-differ", []string{"decision  The topics changed and topology 0 is ready to run. The group epoch"}},
		{"kafka", "empty-lists-are-left-out", []string{"request   A: epoch 2, lists only active 0_0 and 0_1\n"}},
		{"kafka", "an-empty-group-waits-again", []string{"timer     initial rebalance timer of the group ends\n", "B's view  ABSENT\n"}},
		{"kafka", "shutting-down-together", []string{"shuts the application down\n", "its thread ends, status SHUTDOWN_APPLICATION\n"}},
	} {
		out, errs, code := groupscope("trace", "-rules", c.rules, filepath.Join(gallery, c.file+".yaml"))
		require.Equal(t, exitOK, code, errs)
		for _, want := range c.want {
			assert.Contains(t, out, want, c.file)
		}
		assert.NotContains(t, out, "_PARTITIONS;", c.file)
		assert.NotRegexp(t, `\b0 \[`, out, c.file+": a task has a name")
	}
}

func TestATraceOfABadFileNamesItsMistakes(t *testing.T) {
	file := filepath.Join(t.TempDir(), "bad.yaml")
	require.NoError(t, os.WriteFile(file, []byte("groupscope: 1\n"), 0o644))
	out, errs, code := groupscope("trace", file)
	assert.Equal(t, exitFailed, code)
	assert.Empty(t, out)
	assert.Contains(t, errs, "bad.yaml:1:1: the key title is missing")
}
