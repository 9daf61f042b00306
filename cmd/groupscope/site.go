package main

import "groupscope/cmd/internal/site"

var siteCommand = command{
	name:  "site",
	args:  "[-o DIR] [-compress]",
	short: "build the static site",
	long: `Builds the page, the program as WASM, the gallery and its still pictures into
one folder that any file server can serve, from any path. To be called in the
project's folder, with Go on the PATH.
`,
	run: runSite,
}

func runSite(c *call) int {
	out := c.flags.String("o", "dist", "the folder to build into")
	compress := c.flags.Bool("compress", false, "write the smallest .gz and .br copies, for publishing (takes a minute)")
	args, code, ok := c.parse()
	if !ok {
		return code
	}
	if len(args) != 0 {
		return c.fail("it takes no arguments; groupscope site -h says more")
	}
	if err := site.Build(site.Options{Root: ".", Out: *out, Compress: *compress, Log: c.stderr}); err != nil {
		return c.fail("%v", err)
	}
	return exitOK
}
