package debug

// CallerType says who called.
type CallerType int

// Who may have.
const (
	CallerTypeNone CallerType = iota
	CallerTypeRegular
	CallerTypeInternal
)

// FirstCaller stands in for Ebitengine's, which looks for its own source files
// on the disk. There is no disk.
func FirstCaller() (file string, line int, callerType CallerType) { return "", 0, CallerTypeNone }
