package conformance

import (
	"slices"
	"strings"
)

// freeOrder puts the elements of a list of a step in an order in which they
// can be compared, where Kafka's own is that of a hash table: it returns
// their indexes. Everywhere else the order counts, and it returns nil.
func freeOrder(op, path string, list []any) []int {
	at := path[strings.LastIndexByte(path, '.')+1:]
	switch {
	case at == "records":
		return recordOrder(op, path, list)
	case path == "response.members":
		return sortedBy(list, 0, len(list), func(v any) string { return field(v, "memberId") })
	case at == "subscribedTopicNames" && strings.HasPrefix(path, "response.members["):
		return sortedBy(list, 0, len(list), func(v any) string { return asText(v) })
	}
	return nil
}

// recordOrder: members' targets that stand in a row, the regexes of one
// refresh, and the tombstones of a deleted group's offsets may stand in any
// order.
func recordOrder(op, path string, list []any) []int {
	free := func(v any) string {
		kind := field(v, "type")
		rec, _ := v.(map[string]any)
		switch {
		case strings.HasSuffix(kind, "GroupTargetAssignmentMember"),
			strings.HasSuffix(kind, "GroupRegularExpression") && strings.HasPrefix(path, "async["),
			kind == "OffsetCommit" && rec["value"] == nil && op == "deleteGroup":
			return kind
		}
		return ""
	}
	order := sortedBy(list, 0, 0, nil)
	for from := 0; from < len(list); {
		kind, to := free(list[from]), from+1
		for kind != "" && to < len(list) && free(list[to]) == kind {
			to++
		}
		if kind != "" {
			copy(order[from:to], sortedBy(list, from, to, func(v any) string { return asText(v.(map[string]any)["key"]) })[from:to])
		}
		from = to
	}
	return order
}

// sortedBy are the indexes of a list, those of a part of it sorted.
func sortedBy(list []any, from, to int, key func(any) string) []int {
	order := make([]int, len(list))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order[from:to], func(a, b int) int { return strings.Compare(key(list[a]), key(list[b])) })
	return order
}

// field is a text in an object, "" for anything else.
func field(v any, name string) string {
	object, _ := v.(map[string]any)
	s, _ := object[name].(string)
	return s
}
