package conformance

import "encoding/json"

// What traces use and the coordinator does not have yet. A trace is fed to
// it up to the first step that needs one of these.
const (
	featureRegex    = "regex subscription"
	featureClassic  = "classic protocol"
	featureDelete   = "group deletion"
	featureCleanup  = "group expiration"
	featureCommit   = "offset commit"
	featureOverride = "group config"
)

// missing names the feature that a step needs and the coordinator lacks, ""
// for none.
func (s *Step) missing() string {
	switch s.Op {
	case "classicJoin", "classicSync", "classicHeartbeat", "classicLeave":
		return featureClassic
	case "deleteGroup":
		return featureDelete
	case "cleanup":
		return featureCleanup
	case "commitOffset":
		return featureCommit
	case "groupConfig":
		return featureOverride
	case "runExecutor":
		return featureRegex
	case "heartbeat":
		var r struct {
			SubscribedTopicRegex string `json:"subscribedTopicRegex"`
		}
		if json.Unmarshal(s.Request, &r) == nil && r.SubscribedTopicRegex != "" {
			return featureRegex
		}
	}
	return ""
}

// Cut is where a trace must end for want of a feature: the number of steps
// before it, and its name; all steps and "" when nothing is missing.
func (t *Trace) Cut() (steps int, feature string) {
	for i := range t.Steps {
		if f := t.Steps[i].missing(); f != "" {
			return i, f
		}
	}
	return len(t.Steps), ""
}
