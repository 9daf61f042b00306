package sim

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"groupscope/core/protocol"
)

func TestTheQueueHandsOutByInstantThenByOrder(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var q queue
	for order := range uint64(500) {
		q.push(&parcel{at: protocol.Instant(random.IntN(20)), order: order, member: int(order % 5)})
	}
	for range 100 {
		q.remove(random.IntN(len(q)))
	}
	q.drop(func(p *parcel) bool { return p.member == 3 })
	var last *parcel
	for len(q) > 0 {
		first := q.firstOf(q[0].member)
		require.Zero(t, first, "the next of all is the next of its member")
		p := q.remove(0)
		require.NotEqual(t, 3, p.member)
		require.True(t, last == nil || last.before(p))
		last = p
	}
	require.Equal(t, -1, q.firstOf(0))
}
