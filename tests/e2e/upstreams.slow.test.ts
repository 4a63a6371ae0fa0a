/** `toolgate upstreams` with a real server, from adding it to accepting what changed. */
import { mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type CliWorld, createCliWorld } from "./cli-process.ts";

const server = fileURLToPath(new URL("../scripted-mcp-server.ts", import.meta.url));
let world: CliWorld;
let script: string;
let config: string;

const echo = {
  name: "echo",
  description: "Says it again.",
  inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
};
const lists = (tools: readonly object[]) => writeFileSync(script, JSON.stringify({ tools }));

beforeEach(() => {
  world = createCliWorld();
  script = join(world.folder, "definitions.json");
  config = join(world.folder, "home/.config/toolgate/config.yaml");
  mkdirSync(join(config, ".."), { recursive: true });
});
afterEach(() => world.close());

describe("toolgate upstreams", { timeout: 60_000 }, () => {
  it("adds a server, hides what changed, shows it with nothing hidden, and accepts it", async () => {
    writeFileSync(config, "# Mine.\nversion: 1\n");
    lists([echo]);
    const added = await world.run(["upstreams", "add", "notes", "--", process.execPath, server, script]);
    expect(added.out).toContain("1 tool can be called.");
    expect(readFileSync(config, "utf8")).toMatch(/^# Mine\.\nversion: 1\n\nupstreams:\n {2}notes:\n/);

    const called = await world.run(["tools", "call", "notes__echo", '{"text":"hi"}', "--yes"]);
    expect(called.out).toBe('echo {"text":"hi"}\n');

    lists([{ ...echo, description: "Says it again.\u200b\u202e And more." }]);
    const reviewed = await world.run(["upstreams", "review"]);
    expect(reviewed.out).toContain("- " + '  "description": "Says it again."');
    expect(reviewed.out).toContain("+ " + '  "description": "Says it again.\\u{200B}\\u{202E} And more."');
    expect(reviewed.out).toContain("holds characters that nobody can see");

    const refused = await world.run(["tools", "call", "notes__echo", '{"text":"hi"}', "--yes"]);
    expect(refused.code).toBe(1);
    expect(refused.err).toContain(" upstreams review notes");

    const byAgent = await world.run(["upstreams", "accept", "notes", "--yes"], "", [], { CLAUDECODE: "1" });
    expect(byAgent.code).toBe(1);
    expect(byAgent.err).toContain("a person's decision");

    const accepted = await world.run(["upstreams", "accept", "notes", "--yes"]);
    expect(accepted.out).toContain('Accepted: "echo".');
    const again = await world.run(["tools", "call", "notes__echo", '{"text":"hi"}', "--yes"]);
    expect(again.out).toBe('echo {"text":"hi"}\n');

    const removed = await world.run(["upstreams", "remove", "notes"]);
    expect(removed.code).toBe(0);
    expect(readFileSync(config, "utf8")).toBe("# Mine.\nversion: 1\n\n");
  });

  it("imports servers without their secrets, and toolgate config shows no value", async () => {
    writeFileSync(
      join(world.project, ".mcp.json"),
      JSON.stringify({
        mcpServers: { gh: { command: "gh-mcp", env: { GH_TOKEN: "sesame-open-1", MODE: "fast" } } },
      }),
    );
    const shown = await world.run(["upstreams", "import", "claude", "--dry-run"]);
    expect(shown.out).toContain("set GH_TOKEN in the environment of toolgate");
    const copied = await world.run(["upstreams", "import", "claude", "--copy-secrets", "--yes"]);
    expect(copied.out).not.toContain("sesame");
    expect(readFileSync(config, "utf8")).toContain("sesame-open-1");
    for (const argv of [
      ["config", "show"],
      ["config", "show", "--json"],
      ["upstreams", "list", "--json"],
    ]) {
      const { out, err } = await world.run(argv);
      expect(out).toContain("gh");
      expect(out + err).not.toContain("sesame");
    }
  });

  it("keeps every server that is added at the same time, also where one was killed while it wrote", async () => {
    mkdirSync(`${config}.lock`);
    utimesSync(`${config}.lock`, 0, 0);
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
