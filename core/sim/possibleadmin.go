package sim

import (
	"fmt"
	"slices"
	"strings"

	"groupscope/core/client"
	"groupscope/core/coordinator"
)

func (w *World) commitRefusal(m *member, a CommitOffsets) string {
	name := m.setup.Name
	given := func(o Override) bool { return o.Field == "topicPartitions" }
	switch {
	case w.topology != nil:
		return "That is for members of consumer groups."
	case m.state() == client.Absent:
		return notRunning(m)
	case w.cut(m):
		return fmt.Sprintf("%s is cut off: nothing that it sends arrives. Let time pass.", name)
	case a.Offset < 0:
		return "An offset is 0 or more."
	case len(m.client.Owned()) == 0 && !slices.ContainsFunc(a.With, given):
		return fmt.Sprintf("%s reads nothing, so it has nothing to commit. Say which partitions.", name)
	}
	for _, o := range a.With {
		if !slices.Contains(commitFields, o.Field) {
			return fmt.Sprintf("A commit has no field %s. The fields are %s.", o.Field, strings.Join(commitFields, ", "))
		}
		if o.Field == "topicPartitions" && o.Value == nil {
			return "A commit says which partitions."
		}
	}
	return checkOverrides(fields, a.With)
}

// commitFields are the fields of a commit that With may replace.
var commitFields = []string{"instanceId", "memberEpoch", "memberId", "topicPartitions"}

// checkSettings says what is wrong with a group's dynamic config, "" if
// nothing is.
func checkSettings(settings []GroupSetting) string {
	config := settingsMap(settings)
	if len(config) < len(settings) {
		return "A config is set twice."
	}
	if err := coordinator.New(coordinator.Config{}).SetGroupConfig(0, "group", config); err != nil {
		return strings.TrimPrefix(err.Error(), "coordinator: ") + "."
	}
	return ""
}

func (w *World) rawRefusal(a SendRequest) string {
	if w.topology != nil {
		return "That is for consumer groups."
	}
	for _, field := range []string{"memberId", "memberEpoch"} {
		if !slices.ContainsFunc(a.With, func(o Override) bool { return o.Field == field }) {
			return fmt.Sprintf("Every request has %s. Say which.", field)
		}
	}
	return checkOverrides(fields, a.With)
}
