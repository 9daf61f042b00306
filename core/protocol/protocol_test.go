package protocol_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/protocol"
)

func TestDurationsAreWrittenInTheirLargestFittingUnit(t *testing.T) {
	for d, want := range map[protocol.Duration]string{
		0: "0s", 1: "1ms", 250: "250ms", 1500: "1.5s", 45_000: "45s", 61_000: "61s", 90_000: "1.5m", 20 * protocol.Minute: "20m",
		90 * protocol.Minute: "1.5h", -5_000: "-5s", 1_234: "1234ms",
	} {
		assert.Equal(t, want, d.String())
	}
}

func TestADurationReadsBackAsItself(t *testing.T) {
	for d := protocol.Duration(0); d < 3*protocol.Hour; d = d*1001/1000 + 1 {
		back, err := protocol.ParseDuration(d.String())
		require.NoError(t, err, d.String())
		assert.Equal(t, d, back, d.String())
	}
}

func TestEveryMillisecondOfAMinuteCanBeWrittenInSeconds(t *testing.T) {
	for ms := range 60_000 {
		d, err := protocol.ParseDuration(fmt.Sprintf("%d.%03ds", ms/1000, ms%1000))
		require.NoError(t, err)
		require.Equal(t, protocol.Duration(ms), d)
	}
}

func TestWhatIsNoDurationSaysWhatWouldBe(t *testing.T) {
	for _, s := range []string{"", "s", "20 minutes", "5", "-5s", "1.s", ".5s", "1e3s", "1.2.3s", "0.0001s", "1.0000000001h", "9999999h", "99999999999999999999s", "١s"} {
		_, err := protocol.ParseDuration(s)
		assert.Error(t, err, "%q", s)
	}
	for s, meant := range map[string]string{
		"20": "20s", "20 s": "20s", "1.5": "1.5s", "250 ms": "250ms",
		"20 minutes": "20m, 1200s or 1200000ms", "s": "20m, 1200s or 1200000ms", "": "20m, 1200s or 1200000ms", "soon": "20m, 1200s or 1200000ms", "5 days": "20m, 1200s or 1200000ms",
		"1.s": "20m, 1200s or 1200000ms", "0.0001": "20m, 1200s or 1200000ms", "0 0": "20m, 1200s or 1200000ms",
	} {
		_, err := protocol.ParseDuration(s)
		assert.EqualError(t, err, "not a duration: write "+meant)
	}
}

func TestAnAssignmentIsASetInOrder(t *testing.T) {
	a := protocol.NewAssignment([]protocol.Partition{{Topic: "foo", Number: 2}, {Topic: "bar", Number: 0}, {Topic: "foo", Number: 0}, {Topic: "foo", Number: 2}})
	assert.Equal(t, "bar [0], foo [0, 2]", a.String())
	assert.Equal(t, 3, a.Len())
	assert.True(t, a.Contains(protocol.Partition{Topic: "foo", Number: 2}))
	assert.False(t, a.Contains(protocol.Partition{Topic: "foo", Number: 1}))
	assert.False(t, a.Contains(protocol.Partition{Topic: "baz", Number: 0}))
	assert.True(t, protocol.NewAssignment(a.Partitions()).Equal(a))
}

func TestAbsentIsNotEmpty(t *testing.T) {
	empty := protocol.NewAssignment(nil)
	assert.NotNil(t, empty)
	assert.False(t, empty.Equal(nil))
	assert.Equal(t, "nothing", empty.String())
	assert.Equal(t, "absent", protocol.Assignment(nil).String())
	assert.Nil(t, protocol.Assignment(nil).Clone())
	assert.NotNil(t, empty.Clone())
}

func TestACloneSharesNothing(t *testing.T) {
	a := protocol.NewAssignment([]protocol.Partition{{Topic: "foo", Number: 0}})
	b := a.Clone()
	b[0].Partitions[0] = 7
	assert.Equal(t, "foo [0]", a.String())
}

func TestEveryErrorCodeHasKafkasNameAndIsFoundByIt(t *testing.T) {
	for _, name := range protocol.ErrorNames() {
		code, ok := protocol.ParseErrorCode(name)
		require.True(t, ok, name)
		assert.Equal(t, name, code.String())
	}
	assert.Equal(t, "ERROR_999", protocol.ErrorCode(999).String())
	_, ok := protocol.ParseErrorCode("NO_SUCH_ERROR")
	assert.False(t, ok)
}
