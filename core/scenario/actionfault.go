package scenario

import (
	"groupscope/core/client"
	"groupscope/core/protocol"
	"groupscope/core/sim"
)

// beside reads a duration that stands beside an action.
func (r *reader) beside(step *node, key string) (protocol.Duration, bool) {
	n := step.get(key)
	d, ok := r.duration(n)
	if ok && d > MaxRun {
		r.fault(n, d.String()+" is longer than any run: the limit is "+MaxRun.String(), "")
		return 0, false
	}
	return d, ok
}

// needed reads a duration that has to stand beside an action.
func (r *reader) needed(step, value *node, action, key, example string) (protocol.Duration, bool) {
	if !step.has(key) {
		r.fault(value, action+" needs the key "+key, "Write "+key+": "+example+" beside it")
		return 0, false
	}
	return r.beside(step, key)
}

// maxCount is how many messages one step may lose or delay.
const maxCount = 1_000

func (r *reader) count(step *node) (int, bool) {
	n := step.get("count")
	if n == nil {
		return 1, true
	}
	v, ok := r.integer(n, "count is a number of messages", 1, maxCount)
	return int(v), ok
}

func readLoss(of func(member string, count int) sim.Action) func(*reader, *node, *node) sim.Action {
	return func(r *reader, step, value *node) sim.Action {
		name, ok := r.member(value)
		count, fine := r.count(step)
		if !ok || !fine {
			return nil
		}
		return of(name, count)
	}
}

func readDelay(r *reader, step, value *node) sim.Action {
	name, ok := r.member(value)
	count, fine := r.count(step)
	a := sim.Delay{Member: name, Count: count}
	ok = ok && fine
	a.By, fine = r.needed(step, value, "delay", "by", "2s")
	ok = ok && fine
	if of := step.get("of"); of != nil {
		word, known := r.oneOf(of, "message", []string{"request", "response"})
		ok = ok && known
		a.Response = word == "response"
	}
	if !ok {
		return nil
	}
	return a
}

func readDuplicate(r *reader, step, value *node) sim.Action {
	name, ok := r.member(value)
	count, fine := r.count(step)
	a := sim.Duplicate{Member: name, Count: count}
	if step.has("after") {
		d, in := r.beside(step, "after")
		a.After, fine = d, fine && in
	}
	if !ok || !fine {
		return nil
	}
	return a
}

func readPartition(r *reader, step, value *node) sim.Action {
	name, ok := r.member(value)
	d, fine := r.needed(step, value, "partition", "for", "30s")
	if !ok || !fine {
		return nil
	}
	return sim.Partition{Member: name, For: d}
}

// callbackKinds are the methods of the rebalance listeners.
var callbackKinds = []client.CallbackKind{
	client.PartitionsRevoked, client.PartitionsAssigned, client.PartitionsLost,
	client.TasksRevoked, client.TasksAssigned, client.AllTasksLost,
}

// callbacks are their names: of a consumer's first, then of a streams client's.
func callbacks() []string {
	out := make([]string, len(callbackKinds))
	for i, kind := range callbackKinds {
		out[i] = kind.String()
	}
	return out
}

// callbacksOf are those of the members of the file's group.
func (r *reader) callbacksOf() []string {
	all := callbacks()
	switch half := len(all) / 2; {
	case r.world.loose:
		return all
	case r.world.streams:
		return all[half:]
	default:
		return all[:half]
	}
}

func readFailCallback(r *reader, step, value *node) sim.Action {
	name, ok := r.member(value)
	count, fine := r.count(step)
	which := step.get("callback")
	if which == nil {
		r.fault(value, "fail-callback needs the key callback", "Write callback: "+r.callbacksOf()[0]+" beside it")
		return nil
	}
	word, known := r.oneOf(which, "callback", r.callbacksOf())
	if !ok || !fine || !known {
		return nil
	}
	a := sim.FailCallback{Member: name, Count: count}
	for _, kind := range callbackKinds {
		if kind.String() == word {
			a.Callback = kind
		}
	}
	return a
}

func readBrokerError(r *reader, step, value *node) sim.Action {
	code, ok := r.errorCode(value)
	a := sim.BrokerError{Error: code}
	d, fine := r.needed(step, value, "broker-error", "for", "10s")
	a.For = d
	if n := step.get("lookup-fails"); n != nil {
		lookup, known := r.truth(n, "lookup-fails is true or false")
		a.Lookup, fine = lookup, fine && known
	}
	if !ok || !fine {
		return nil
	}
	return a
}
