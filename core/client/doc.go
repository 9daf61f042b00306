// Package client is a consumer group member as Kafka's Java client is one: its
// state machine, its heartbeats, and the application that polls, subscribes
// and runs rebalance callbacks.
//
// A Client is a value that is acted on: each input (an answer, the end of a
// callback, a call of the application, the passing of its deadline) takes the
// instant at which it happens and returns what the client does about it. It
// has no clock and no network; whoever owns it delivers its requests, and
// wakes it at NextDeadline.
package client
