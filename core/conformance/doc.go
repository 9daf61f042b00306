// Package conformance judges the core by traces of a real broker: it feeds
// each step of a trace to the coordinator and compares the answer, the error,
// the records, the timers that fired and the whole group, in order.
//
// Runs of real clients against the real coordinator (kind clients) are played
// anew with our clients, a network and our coordinator between them, and every
// event is compared: requests and answers, what clients believe, callbacks,
// lookups, metadata, timers, the group, all to the millisecond and in order.
//
// testdata holds traces, one archive a kind, one trace a line; README.md
// describes them. They were recorded from Apache Kafka's own code (trunk,
// commit 06d492d8 of 22 August 2026). To pack an archive from recorded files:
//
//	go run ./core/conformance/pack core/conformance/testdata/NAME.jsonl.gz FILE|DIR...
package conformance
