package sim

import (
	"fmt"
	"slices"
	"strings"

	"groupscope/core/client"
	"groupscope/core/coordinator"
)

func (w *World) commitRefusal(m *member, a CommitOffsets) string {
	for _, o := range a.With {
		if o.Field == "topicPartitions" && o.Value == nil {
			return "A commit says which partitions."
		}
	}
	if reason := w.offsetRefusal(m, a.With, commitFields); reason != "" {
		return reason
	}
	given := func(o Override) bool { return o.Field == "topicPartitions" }
	switch {
	case a.Offset < 0:
		return "An offset is 0 or more."
	case len(m.client.Owned()) == 0 && !slices.ContainsFunc(a.With, given):
		return fmt.Sprintf("%s reads nothing, so it has nothing to commit. Say which partitions.", m.setup.Name)
	}
	return ""
}

// The fields of requests about offsets that With may replace.
var (
	commitFields = []string{"instanceId", "memberEpoch", "memberId", "topicPartitions"}
	fetchFields  = []string{"memberEpoch", "memberId"}
)

// offsetRefusal is about a request of a client for offsets.
func (w *World) offsetRefusal(m *member, with []Override, known []string) string {
	switch {
	case w.topology != nil:
		return "That is for members of consumer groups."
	case m.state() == client.Absent:
		return notRunning(m)
	case w.cut(m):
		return fmt.Sprintf("%s is cut off: nothing that it sends arrives. Let time pass.", m.setup.Name)
	}
	for _, o := range with {
		if !slices.Contains(known, o.Field) {
			return fmt.Sprintf("The request has no field %s. The fields are %s.", o.Field, strings.Join(known, ", "))
		}
	}
	return checkOverrides(fields, with)
}

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
