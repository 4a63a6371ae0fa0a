/** A configuration whose upstream server is toolgate itself: each start would start the next. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type CliWorld, cli, createCliWorld, ended } from "../e2e/cli-process.ts";

let world: CliWorld;
beforeEach(() => {
  world = createCliWorld();
});
afterEach(() => world.close());

it("toolgate mcp does not start inside an upstream server", async () => {
  const { code, out, err } = await world.run(["mcp"], "", [], { TOOLGATE_UPSTREAM_OF: "1" });
  expect([code, out]).toEqual([1, ""]);
  expect(err).toMatch(/^This toolgate was started by an upstream server .* upstreams list shows them\.\n$/);
});

it.each(["mcp", "upstreams list --check"])(
  "toolgate %s behind a shell as its own upstream is started by the outermost only",
  async (command) => {
    const log = join(world.folder, "starts");
    const again = `echo $TOOLGATE_UPSTREAM_OF >> ${log}; exec ${process.execPath} ${cli} ${command}`;
    const folder = join(world.folder, "home", ".config", "toolgate");
    mkdirSync(folder, { recursive: true });
    const upstreams = { self: { command: "/bin/sh", args: ["-c", again] } };
    writeFileSync(join(folder, "config.yaml"), JSON.stringify({ upstreams }));
    const outermost = world.start(["upstreams", "list", "--check"]);
    const { out, err } = await ended(outermost);
    const startedBy = new Set(readFileSync(log, "utf8").trim().split("\n"));
    expect([...startedBy], out + err).toEqual([String(outermost.pid)]);
    expect(out + err).toContain("self");
  },
);
