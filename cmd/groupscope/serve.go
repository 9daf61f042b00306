package main

import "groupscope/cmd/internal/serve"

var serveCommand = command{
	name:  "serve",
	args:  "[-dir DIR] [-port N]",
	short: "serve a built site on localhost",
	long: `Serves a site built by groupscope site (make site), on this machine only, and
prints its address. When the port is taken the next free one is used.
`,
	run: runServe,
}

func runServe(c *call) int {
	dir := c.flags.String("dir", "dist", "the built site")
	port := c.flags.Int("port", 8080, "the port to serve on; 0 takes any free one")
	args, code, ok := c.parse()
	if !ok {
		return code
	}
	if len(args) != 0 {
		return c.fail("it takes no arguments; groupscope serve -h says more")
	}
	l, err := serve.Listen(*port)
	if err != nil {
		return c.fail("%v", err)
	}
	defer l.Close()
	return c.fail("%v", serve.Run(l, *dir, c.stdout))
}
