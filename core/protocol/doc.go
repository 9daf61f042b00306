// Package protocol holds the words of Kafka's group protocol: heartbeat
// messages, error codes, partitions, and virtual time. It decides nothing.
package protocol
