/** `toolgate upstreams` with a real server, from adding it to accepting what changed. */
import { mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { expectEnd, refuses, says } from "../unit/surfaces/cli/expect-end.ts";
import { type CliWorld, createCliWorld } from "./cli-process.ts";

const server = fileURLToPath(new URL("../scripted-mcp-server.ts", import.meta.url));
let world: CliWorld;
let script: string;

const echo = {
  name: "echo",
  description: "Says it again.",
  inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
};
const lists = (tools: readonly object[]) => writeFileSync(script, JSON.stringify({ tools }));
const upstreams = (...argv: readonly string[]) => world.run(["upstreams", ...argv]);
const callEcho = () => world.run(["tools", "call", "notes__echo", '{"text":"hi"}', "--yes"]);
const echoed = /^echo \{"text":"hi"\}\n$/;
const config = () => join(world.home, ".config/toolgate/config.yaml");
const configured = () => readFileSync(config(), "utf8");

beforeEach(() => {
  world = createCliWorld();
  script = join(world.folder, "definitions.json");
});
afterEach(() => world.close());

describe("toolgate upstreams", () => {
  it("adds a server, hides what changed, shows it with nothing hidden, and accepts it", async () => {
    world.configure("# Mine.\nversion: 1\n");
    lists([echo]);
    await says(upstreams("add", "notes", "--", process.execPath, server, script), "1 tool can be called.");
    expect(configured()).toMatch(/^# Mine\.\nversion: 1\n\nupstreams:\n {2}notes:\n/);
    await says(callEcho(), echoed);

    lists([{ ...echo, description: "Says it again.\u200b\u202e And more." }]);
    const { out } = await upstreams("review");
    expect(out).toContain('-   "description": "Says it again."');
    expect(out).toContain('+   "description": "Says it again.\\u{200B}\\u{202E} And more."');
    expect(out).toContain("holds characters that nobody can see");
    await refuses(callEcho(), " upstreams review notes");

    const accept = ["upstreams", "accept", "notes", "--yes"];
    const byAgent = world.run(accept, "", [], { CLAUDECODE: "1" });
    await expectEnd(byAgent, { code: 1, err: "a person's decision" });
    await says(world.run(accept), 'Accepted: "echo".');
    await says(callEcho(), echoed);
    await says(upstreams("remove", "notes"));
    expect(configured()).toBe("# Mine.\nversion: 1\n\n");
  });

  it("imports servers without their secrets, and toolgate config shows no value", async () => {
    const gh = { command: "gh-mcp", env: { GH_TOKEN: "sesame-open-1", MODE: "fast" } };
    world.file(".mcp.json", JSON.stringify({ mcpServers: { gh } }));
    await says(upstreams("import", "claude", "--dry-run"), "set GH_TOKEN in the environment of toolgate");
    await expectEnd(upstreams("import", "claude", "--copy-secrets", "--yes"), { never: "sesame" });
    expect(configured()).toContain("sesame-open-1");
    for (const line of ["config show", "config show --json", "upstreams list --json"])
      await expectEnd(world.run(line.split(" ")), { out: "gh", never: "sesame" });
  });

  it("keeps every server that is added at the same time, also where one was killed while it wrote", async () => {
    mkdirSync(`${config()}.lock`, { recursive: true });
    utimesSync(`${config()}.lock`, 0, 0);
    const names = ["a", "b", "c", "d"];
    const added = await Promise.all(
      names.map((name) => world.run(["upstreams", "add", name, "--no-check", "--", "prog"])),
    );
    expect(added.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    const listed = await world.run(["upstreams", "list", "--json"]);
    const { upstreams } = JSON.parse(listed.out) as { upstreams: readonly { server: string }[] };
    expect(upstreams.map(({ server: name }) => name).sort()).toEqual(names);
  });
});
