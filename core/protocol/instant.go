package protocol

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Instant is a point of virtual time in milliseconds. It is always above
// zero: Kafka uses timestamp 0 as "unknown" (the assignment timestamp of a
// group that never had a target).
type Instant int64

// Duration is a length of virtual time in milliseconds.
type Duration int64

// The units a Duration is written in.
const (
	Millisecond Duration = 1
	Second      Duration = 1000
	Minute      Duration = 60 * Second
	Hour        Duration = 60 * Minute
)

// Add returns the instant d later.
func (i Instant) Add(d Duration) Instant { return i + Instant(d) }

// Sub returns the time from o to i.
func (i Instant) Sub(o Instant) Duration { return Duration(i - o) }

// String writes the duration in the largest unit that needs no more than one
// decimal: "45s", "1.5s", "20m", "250ms".
func (d Duration) String() string {
	if d < 0 {
		return "-" + (-d).String()
	}
	for _, unit := range []struct {
		size Duration
		name string
	}{{Hour, "h"}, {Minute, "m"}, {Second, "s"}} {
		if d >= unit.size && d%(unit.size/10) == 0 {
			return strconv.FormatFloat(float64(d)/float64(unit.size), 'f', -1, 64) + unit.name
		}
	}
	if d == 0 {
		return "0s"
	}
	return fmt.Sprintf("%dms", int64(d))
}

// ParseDuration reads "45s", "1.5s", "20m", "1200000ms" or "0". The error
// names the forms that would be accepted.
func ParseDuration(s string) (Duration, error) {
	if s == "0" {
		return 0, nil
	}
	for _, unit := range []struct {
		name string
		size Duration
	}{{"ms", Millisecond}, {"s", Second}, {"m", Minute}, {"h", Hour}} {
		if digits, ok := strings.CutSuffix(s, unit.name); ok && isDecimal(digits) {
			return scaled(s, digits, unit.size)
		}
	}
	return 0, fmt.Errorf("not a duration: write %s", meant(s))
}

// meant is what somebody may have meant who wrote a number without a unit, or
// apart from it; else it is the forms that there are.
func meant(s string) string {
	number, unit, apart := strings.Cut(s, " ")
	if !apart {
		unit = "s"
	}
	if isDecimal(number) && slices.Contains([]string{"ms", "s", "m", "h"}, unit) {
		if _, err := ParseDuration(number + unit); err == nil {
			return number + unit
		}
	}
	return "20m, 1200s or 1200000ms"
}

// longest is far beyond any run, and far from overflowing.
const longest = 1000 * 24 * Hour

// scaled reads a decimal number of units, exactly: no step of it is in
// floating point.
func scaled(s, digits string, unit Duration) (Duration, error) {
	whole, fraction, _ := strings.Cut(digits, ".")
	fraction = strings.TrimRight(fraction, "0")
	n, err := strconv.ParseInt(whole, 10, 64)
	if err != nil || Duration(n) > longest/unit {
		return 0, fmt.Errorf("%s is too long: at most 1000 days", s)
	}
	d := Duration(n) * unit
	if fraction == "" {
		return d, nil
	}
	// No unit has a whole number of milliseconds in so small a part of it.
	if len(fraction) > 9 {
		return 0, fmt.Errorf("%s is finer than a millisecond", s)
	}
	part, scale := Duration(0), Duration(1)
	for _, c := range fraction {
		part, scale = part*10+Duration(c-'0'), scale*10
	}
	if part*unit%scale != 0 {
		return 0, fmt.Errorf("%s is finer than a millisecond", s)
	}
	return d + part*unit/scale, nil
}

func isDecimal(s string) bool {
	dot := false
	if s == "" {
		return false
	}
	for i, c := range s {
		if c == '.' && !dot && i > 0 && i < len(s)-1 {
			dot = true
			continue
		}
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}
