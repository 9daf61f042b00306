package coordinator_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"groupscope/core/coordinator"
	"groupscope/core/protocol"
	"groupscope/core/rules"
)

// ruleOf is the rule of the decision that says something.
func ruleOf(t *testing.T, r coordinator.Result, says string) string {
	t.Helper()
	for _, d := range r.Decisions {
		if strings.Contains(d.Text, says) {
			return d.Rule
		}
	}
	require.Fail(t, "no decision says that "+says, "%v", r.Decisions)
	return ""
}

// Each field by itself decides whose rule is named, whatever the rule set.
func TestADecisionNamesTheKIPOnlyForWhatTheKIPSays(t *testing.T) {
	for _, kip := range []bool{true, false} {
		source := map[bool]string{true: "KIP-848, ", false: "Kafka, "}[kip]
		bothRules(t, func(t *testing.T, r rules.Rules) {
			r.RemoveFencedMember, r.JoinAlwaysBumps = kip, kip
			r.LostResponseOwned = map[bool]rules.OwnedBound{true: rules.WithinTarget, false: rules.WithinAssigned}[kip]
			g, e := settleTwo(t, r)
			assert.Equal(t, source+"lost-response rule", ruleOf(t, g.send("A", epoch(e-1), full, owns(0, 1)), "was lost"))
			assert.Equal(t, source+"fencing", ruleOf(t, g.send("A", epoch(e+9)), "lies ahead"))
			joined := g.send("D", join, subscribes())
			if kip {
				assert.Equal(t, "KIP-848, group epoch", ruleOf(t, joined, "D joins"))
			} else {
				assert.Equal(t, "Kafka, group epoch", ruleOf(t, joined, "stays at"))
			}
		})
	}
}

func TestWhereTheKIPIsSilentADecisionNamesKafka(t *testing.T) {
	bothRules(t, func(t *testing.T, r rules.Rules) {
		g := newRig(t, r, withInterval)
		g.send("A", join)
		if r.TwoStepJoin {
			g.send("A", join)
		}
		e := g.group().GroupEpoch
		both := g.send("A", epoch(e), votes("range"), subscribes("bar"))
		assert.Equal(t, "KIP-848, group epoch", ruleOf(t, both, "assignor is now"), "the new subscription is reason enough")
		assert.Equal(t, "Kafka, change of subscription", ruleOf(t, both, "no longer subscribes"), "there is no new target yet")
		assert.Equal(t, "Kafka, change of assignor", ruleOf(t, g.send("A", epoch(e), votes("uniform")), "assignor is now"))
	})
}

func TestAMemberThatIsNotThereIsNotFenced(t *testing.T) {
	bothRules(t, func(t *testing.T, r rules.Rules) {
		g, e := settleTwo(t, r)
		for _, sent := range []coordinator.Result{
			g.send("X", epoch(protocol.EpochLeaving)), g.send("X", epoch(e)), g.send("X", epoch(e), instance("i")),
		} {
			require.Equal(t, protocol.UnknownMemberID, sent.Response.Error)
			assert.Equal(t, "KIP-848, member lookup", ruleOf(t, sent, "has no"))
		}
	})
}
