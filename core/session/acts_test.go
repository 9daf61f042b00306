package session_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/session"
)

func TestActsAreThoseOfTheBranchAndTheRuleSetOnScreen(t *testing.T) {
	s := open(t, "K5")
	assert.JSONEq(t, "[]", string(read(t, s.Call("acts", "")).OK))
	call[session.Info](t, s, "do", `{"action": "crash: A"}`)
	assert.JSONEq(t, `[{"stop": 5, "label": "K5", "action": "crash: A"}]`, string(read(t, s.Call("acts", "")).OK))
	call[session.Info](t, s, "rules", `{"name": "kafka"}`)
	assert.Empty(t, call[[]session.Act](t, s, "acts", ""))
	info := call[session.Info](t, s, "do", `{"action": "fail-over: true"}`)
	require.Equal(t, "b1", info.Branch, "the same id, on another recording")
	assert.Equal(t, "fail-over: true", call[[]session.Act](t, s, "acts", "")[0].Action)
	call[session.Info](t, s, "rules", `{"name": "kip"}`)
	assert.Equal(t, []session.Act{{Stop: 5, Label: "K5", Action: "crash: A"}}, call[[]session.Act](t, s, "acts", ""))
}

func TestARestartedMemberAndWhatItLeftBehindAreBothThere(t *testing.T) {
	s := open(t, "K7")
	call[session.Info](t, s, "do", `{"action": "crash: A"}`)
	call[session.Info](t, s, "do", `{"action": "restart: A"}`)
	members := call[session.Snapshot](t, s, "snapshot", "").Members
	assert.ElementsMatch(t, []string{"A", "A~1", "B", "C"}, slices.Collect(maps.Keys(members)))
	require.NotNil(t, members["A"].Client)
	assert.Empty(t, members["A"].Owns)
	assert.Nil(t, members["A~1"].Client)
	assert.Equal(t, []string{"foo-0", "foo-1"}, members["A~1"].Owns)

	left := call[session.Inspection](t, s, "inspect", `{"id": "member/A~1"}`)
	assert.Equal(t, "Member A~1", left.Title)
	assert.Contains(t, left.Sentence, "A~1 is silent for good")
	assert.Contains(t, left.Rows, session.Row{Name: "Assigned", Value: "foo-0, foo-1"})
	assert.Contains(t, left.Rows, session.Row{Name: "Member id", Value: "A"})
	for _, id := range []string{"member/A", "member/A~2"} {
		now := call[session.Inspection](t, s, "inspect", `{"id": "`+id+`"}`)
		assert.Equal(t, "member/A", now.ID)
		assert.Contains(t, now.Rows, session.Row{Name: "Assigned", Value: "nothing"})
		assert.Contains(t, now.Rows, session.Row{Name: "Member id", Value: "A~2"})
	}
	assert.Contains(t, call[session.Inspection](t, s, "inspect", `{"id": "partition/foo-0"}`).Sentence, "A~1 owns foo-0")

	offers := func(target string) string {
		return call[[]session.Possible](t, s, "possible", `{"target": "`+target+`"}`)[0].Action
	}
	assert.Equal(t, "join: A", offers("member/A"))
	assert.Equal(t, "join: A", offers("member/A~2"))
	assert.Equal(t, "run: 30s", offers("member/A~1"), "nothing can be done to who is gone but to let time pass")

	call[session.Info](t, s, "do", `{"action": "run: 50s"}`)
	var timers []string
	for _, l := range call[[]session.LogLine](t, s, "log", "") {
		if l.Kind == "timer" {
			timers = append(timers, l.Member)
			assert.Contains(t, l.Text, "A~1’s session timer ends")
		}
	}
	assert.Equal(t, []string{"A~1"}, timers)
	saved := call[string](t, s, "save", "")
	require.Nil(t, read(t, session.New("").Load("saved.yaml", []byte(saved), "")).Error)
}
