package conformance

import "errors"

// runClients runs a trace of clients (kind clients).
func runClients(_ *document, _ Options, report *Report) {
	report.Fault = errors.New("traces of this kind are not run yet")
}
