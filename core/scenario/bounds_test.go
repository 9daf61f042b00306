package scenario_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/scenario"
)

func TestABrokerThatWouldNotStartIsRefusedWhicheverBoundTheFileSets(t *testing.T) {
	const start = ". Kafka would not start; set that one too"
	for config, want := range map[string]string{
		"min.session.timeout.ms: 50000":   "1:49: 50000 is above group.consumer.session.timeout.ms, which is 45000 by default" + start,
		"max.session.timeout.ms: 44000":   "1:49: 44000 is below group.consumer.min.session.timeout.ms, which is 45000 by default" + start,
		"session.timeout.ms: 70000":       "1:45: 70000 is above group.consumer.max.session.timeout.ms, which is 60000 by default" + start,
		"min.heartbeat.interval.ms: 6000": "1:52: 6000 is above group.consumer.heartbeat.interval.ms, which is 5000 by default" + start,
		"max.heartbeat.interval.ms: 4000": "1:52: 4000 is below group.consumer.min.heartbeat.interval.ms, which is 5000 by default" + start,
		"min.heartbeat.interval.ms: 20000, group.consumer.max.heartbeat.interval.ms: 10000": "1:52: 20000 is above group.consumer.max.heartbeat.interval.ms, which is 10000" + start,
		"max.assignment.interval.ms: 500":                                     "1:53: 500 is below group.consumer.assignment.interval.ms, which is 1000 by default" + start,
		"min.assignment.interval.ms: 200":                                     "1:53: 200 is above group.consumer.assignment.interval.ms, which is 0 by default" + start,
		"min.session.timeout.ms: 10s":                                         "1:49: group.consumer.min.session.timeout.ms is in milliseconds. Write 10000",
		"min.session.timeout.ms: 10s, group.consumer.session.timeout.ms: 100": "1:49: group.consumer.min.session.timeout.ms is in milliseconds. Write 10000",
	} {
		src := "config: {group.consumer." + config + "}\ngroupscope: 1\ntitle: t\nrules: [kip, kafka]\ntopics: {foo: 1}\nmembers: {}\nsteps: []\n"
		_, faults := scenario.Parse("c", []byte(src))
		require.NotEmpty(t, faults, config)
		assert.Equal(t, "c:"+want, faults[0].String())
		assert.LessOrEqual(t, len(faults), 2, config)
	}
}

func TestABoundThatSuitsTheRuleSetOfTheFileIsFine(t *testing.T) {
	const src = "groupscope: 1\ntitle: t\nrules: kip\nconfig: {group.consumer.max.assignment.interval.ms: 500}\ntopics: {foo: 1}\nmembers: {}\nsteps: []\n"
	_, faults := scenario.Parse("c", []byte(src))
	assert.Empty(t, faults)
}
