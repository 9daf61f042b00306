package assignor

import "groupscope/core/protocol"

// Uniform spreads partitions evenly over the members and leaves a partition
// where it is as far as the balance allows.
type Uniform struct{}

// Name implements Assignor.
func (Uniform) Name() string { return "uniform" }

// Assign implements Assignor.
func (Uniform) Assign(spec Spec) ([]protocol.Assignment, error) {
	if spec.Homogeneous {
		return assignHomogeneous(&spec)
	}
	return assignHeterogeneous(&spec), nil
}
