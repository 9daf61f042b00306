package conformance

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
)

// Trace is one recorded run. Fields that judge nothing are read and left
// alone; unknown ones are an error, so that nothing is passed over unseen.
type Trace struct {
	Name          string            `json:"name"`
	Doc           string            `json:"doc"`
	Kind          string            `json:"kind"`
	Seed          json.RawMessage   `json:"seed"`
	AssignorVotes string            `json:"assignorVotes"`
	Config        Config            `json:"config"`
	Topics        []Topic           `json:"topics"`
	StartTimeMs   int64             `json:"startTimeMs"`
	ErrorCounts   map[string]int    `json:"errorCounts"`
	Steps         []Step            `json:"steps"`
	TopicIDs      map[string]string `json:"topicIds"` // qualified name to UUID, base64
}

// Config is the broker's configuration; nil is the recorder's default.
type Config struct {
	SessionTimeoutMs     *int64   `json:"sessionTimeoutMs"`
	HeartbeatIntervalMs  *int64   `json:"heartbeatIntervalMs"`
	AssignmentIntervalMs int64    `json:"assignmentIntervalMs"`
	GroupMaxSize         *int     `json:"groupMaxSize"`
	Assignors            []string `json:"assignors"`
	Executor             string   `json:"executor"`
	MigrationPolicy      string   `json:"migrationPolicy"`
	Compact              bool     `json:"compact"`
}

// Topic is a topic of the cluster; Gen counts its incarnations from 1.
type Topic struct {
	Name       string     `json:"name"`
	Partitions int32      `json:"partitions"`
	Gen        int        `json:"gen"`
	Racks      [][]string `json:"racks"`
}

// Step is one operation and everything that was seen of it.
type Step struct {
	Op         string                        `json:"op"`
	Kind       string                        `json:"kind"`
	APIVersion *int                          `json:"apiVersion"`
	Request    json.RawMessage               `json:"request"`
	ClientID   string                        `json:"clientId"`
	Ms         int64                         `json:"ms"`
	Topics     []Topic                       `json:"topics"`
	Assignment map[string]map[string][]int32 `json:"assignment"`
	GroupID    string                        `json:"groupId"`

	Lost      json.RawMessage `json:"lost"`
	Duplicate json.RawMessage `json:"duplicate"`
	Violation json.RawMessage `json:"violation"`
	Note      string          `json:"note"`

	TimeMs    int64           `json:"timeMs"`
	Response  json.RawMessage `json:"response"`
	Error     *Failure        `json:"error"`
	Records   []Record        `json:"records"`
	Expired   []Expired       `json:"expired"`
	Async     json.RawMessage `json:"async"`
	Completed json.RawMessage `json:"completed"`
	Group     *Snapshot       `json:"group"`
}

// Failure is an error code by Kafka's name.
type Failure struct {
	Code         string `json:"code"`
	ReplayFailed bool   `json:"replayFailed"`
}

// Record is a record in the words of Kafka's schemas; Value nil is a
// tombstone.
type Record struct {
	Type  string            `json:"type"`
	Key   map[string]string `json:"key"`
	Value map[string]any    `json:"value"`
}

// Expired is a timer that fired.
type Expired struct {
	Timer   string          `json:"timer"`
	TimeMs  int64           `json:"timeMs"`
	Records []Record        `json:"records"`
	Error   json.RawMessage `json:"error"`
	Async   json.RawMessage `json:"async"`
}

// Snapshot is a group after a step; with Delta it has only the members that
// changed.
type Snapshot struct {
	GroupID                 string                    `json:"groupId"`
	Type                    *string                   `json:"type"` // nil: there is no such group
	State                   string                    `json:"state,omitempty"`
	GroupEpoch              int32                     `json:"groupEpoch,omitempty"`
	AssignmentEpoch         int32                     `json:"assignmentEpoch,omitempty"`
	PreferredServerAssignor string                    `json:"preferredServerAssignor,omitempty"`
	ResolvedRegexes         map[string][]string       `json:"resolvedRegexes,omitempty"`
	GenerationID            int32                     `json:"generationId,omitempty"` // of a classic group
	Delta                   bool                      `json:"delta,omitempty"`
	Members                 map[string]map[string]any `json:"members,omitempty"`
	RemovedMembers          []string                  `json:"removedMembers,omitempty"`
}

// Request is a consumer group heartbeat.
type Request struct {
	GroupID              string             `json:"groupId"`
	MemberID             string             `json:"memberId"`
	MemberEpoch          int32              `json:"memberEpoch"`
	InstanceID           *string            `json:"instanceId"`
	RackID               *string            `json:"rackId"`
	RebalanceTimeoutMs   *int32             `json:"rebalanceTimeoutMs"`
	SubscribedTopicNames []string           `json:"subscribedTopicNames"`
	SubscribedTopicRegex *string            `json:"subscribedTopicRegex"`
	ServerAssignor       *string            `json:"serverAssignor"`
	TopicPartitions      map[string][]int32 `json:"topicPartitions"`
}

// ReadFile reads an archive of traces.
func ReadFile(path string) ([]*Trace, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	traces, err := Read(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return traces, nil
}

// Read reads an archive: gzip'd, one trace a line.
func Read(r io.Reader) ([]*Trace, error) {
	z, err := gzip.NewReader(r)
	if err != nil {
		return nil, err
	}
	lines := bufio.NewReaderSize(z, 1<<16)
	var out []*Trace
	for {
		line, err := lines.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			t, bad := decode(line)
			if bad != nil {
				return nil, fmt.Errorf("trace %d: %w", len(out)+1, bad)
			}
			out = append(out, t)
		}
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

func decode(src []byte) (*Trace, error) {
	var t Trace
	if err := strict(src, &t); err != nil {
		return nil, err
	}
	return &t, nil
}

// strict decodes JSON, refusing unknown fields and keeping numbers exact.
func strict(src []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(src))
	d.DisallowUnknownFields()
	d.UseNumber()
	return d.Decode(into)
}
