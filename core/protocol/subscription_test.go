package protocol_test

import (
	"encoding/base64"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/protocol"
)

// As a broker wrote them.
const (
	brokersSubscription = "AAMAAAABAANmb2//////AAAAAP///////w=="
	brokersAssignment   = "AAMAAAABAANmb28AAAADAAAAAAAAAAEAAAAC/////w=="
)

func TestTheEmbeddedProtocolIsReadAndWrittenAsABrokerDoes(t *testing.T) {
	raw, err := base64.StdEncoding.DecodeString(brokersSubscription)
	require.NoError(t, err)
	s, err := protocol.DecodeSubscription(raw)
	require.NoError(t, err)
	assert.Equal(t, protocol.ClassicSubscription{Version: 3, Topics: []string{"foo"}, Owned: []protocol.NamedPartitions{}, GenerationID: -1}, s)
	assert.Equal(t, raw, protocol.EncodeSubscription(s))

	raw, err = base64.StdEncoding.DecodeString(brokersAssignment)
	require.NoError(t, err)
	a, err := protocol.DecodeAssignment(raw)
	require.NoError(t, err)
	assert.Equal(t, protocol.ClassicAssignment{Version: 3, Partitions: []protocol.NamedPartitions{{Topic: "foo", Partitions: []int32{0, 1, 2}}}}, a)
	assert.Equal(t, raw, protocol.EncodeAssignment(a))
}

func TestWhatIsWrittenIsReadBackInEveryVersion(t *testing.T) {
	rack := ""
	for version := range int16(4) {
		for _, s := range []protocol.ClassicSubscription{
			{GenerationID: -1},
			{Topics: []string{"foo", "", "ü"}, UserData: []byte{}, GenerationID: 7, RackID: &rack},
			{UserData: []byte{1, 2}, Owned: []protocol.NamedPartitions{{Topic: "foo", Partitions: []int32{3, -1}}, {Topic: "bar"}}, GenerationID: -1},
		} {
			s.Version = version
			switch {
			case version < 1:
				s.Owned = nil
			case s.Owned == nil:
				s.Owned = []protocol.NamedPartitions{}
			}
			if version < 2 {
				s.GenerationID = -1
			}
			if version < 3 {
				s.RackID = nil
			}
			got, err := protocol.DecodeSubscription(protocol.EncodeSubscription(s))
			require.NoError(t, err)
			assert.Equal(t, s, got)
		}
	}
	newer, err := protocol.DecodeSubscription(protocol.EncodeSubscription(protocol.ClassicSubscription{Version: 9, GenerationID: 1}))
	require.NoError(t, err)
	assert.Equal(t, int16(3), newer.Version, "a newer one is read as the newest known")
}

func TestWhatEndsEarlyIsAnErrorWithItsPlace(t *testing.T) {
	raw, err := base64.StdEncoding.DecodeString(brokersSubscription)
	require.NoError(t, err)
	for n := range len(raw) {
		_, err := protocol.DecodeSubscription(raw[:n])
		assert.Error(t, err, "%d bytes", n)
	}
	_, err = protocol.DecodeSubscription(raw[:10])
	assert.EqualError(t, err, "protocol: at byte 8: want a text of 3 bytes, 2 are left")
	_, err = protocol.DecodeAssignment([]byte{0, 0, 0x7f, 0, 0, 0})
	assert.EqualError(t, err, "protocol: at byte 6: a list of 2130706432 entries does not fit")
	_, err = protocol.DecodeAssignment([]byte{0xff, 0xff, 0, 0, 0, 0})
	assert.EqualError(t, err, "protocol: at byte 0: there is no version -1")
}

func TestAnyBytesAreReadWithoutPanic(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		raw := make([]byte, random.IntN(40))
		for i := range raw {
			raw[i] = byte(random.IntN(5))
			if random.IntN(20) == 0 {
				raw[i] = 0xff
			}
		}
		assert.NotPanics(t, func() {
			_, _ = protocol.DecodeSubscription(raw)
			_, _ = protocol.DecodeAssignment(raw)
		}, raw)
	}
}
