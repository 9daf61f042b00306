package scenario

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestZ(t *testing.T) {
	src, err := os.ReadFile("../../scenarios/kip-848-worked-example.yaml")
	require.NoError(t, err)
	sc, ds := Parse("kip-848-worked-example.yaml", src)
	require.Empty(t, ds)
	require.Len(t, sc.Steps, 16)
}
