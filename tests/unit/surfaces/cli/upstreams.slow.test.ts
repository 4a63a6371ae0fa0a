import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type CliWorld, createCliWorld } from "./cli-world.ts";

const server = fileURLToPath(new URL("../../sources/upstream/scripted-server.mjs", import.meta.url));
let world: CliWorld;
let config: string;

beforeEach(() => {
  world = createCliWorld();
  config = join(world.home, ".config/toolgate/config.yaml");
  mkdirSync(dirname(config), { recursive: true });
});
afterEach(() => world.close());

const upstreams = (...args: string[]) => world.run(["upstreams", ...args]);
const configured = () => readFileSync(config, "utf8");

/** One upstream that is the scripted server with these flags. */
function configure(name: string, flags: readonly string[], more: object = {}): void {
  const upstream = { command: process.execPath, args: [server, ...flags], ...more };
  writeFileSync(config, JSON.stringify({ upstreams: { [name]: upstream } }));
}

describe("a server that starts more slowly than a call may take", () => {
  it("is waited for by list --check and by review", async () => {
    configure("slow", ["--slow=2000"], { timeout_ms: 1_500 });
    const listed = await upstreams("list", "--check");
    expect([listed.code, listed.out]).toEqual([0, expect.stringMatching(/^slow +ready/m)]);
    const reviewed = await upstreams("review");
    expect([reviewed.code, reviewed.out]).toEqual([0, expect.stringContaining("Nothing waits")]);
  });

  it("does not work if it needs longer than start_timeout_ms", async () => {
    configure("slow", ["--slow=20000"], { timeout_ms: 200, start_timeout_ms: 600 });
    const listed = await upstreams("list", "--check");
    expect([listed.code, listed.out]).toEqual([1, expect.stringContaining("was not ready within 600 ms")]);
    const reviewed = await upstreams("review");
    expect([reviewed.code, reviewed.out]).toEqual([1, ""]);
    expect(reviewed.err).toContain("slow could not be asked: ");
  });
});

describe("a server that never says which tools it has", () => {
  it("does not work, though it is ready", async () => {
    configure("silent", ["--silent-on=tools/list"], { timeout_ms: 300 });
    expect((await upstreams("list", "--check")).code).toBe(1);
    const reviewed = await upstreams("review");
    expect([reviewed.code, reviewed.out]).toEqual([1, ""]);
    expect(reviewed.err).toContain("silent could not be asked: ");
  });
});

describe("a server in whose entry a tool is misspelt", () => {
  beforeEach(() => configure("typo", [], { tools: { echoo: { enabled: false }, pid: { enabled: false } } }));

  it("is not blamed while its tools are not known", async () => {
    const { code, out } = await upstreams("list");
    expect([code, out]).toEqual([0, expect.not.stringContaining("has no tool")]);
    expect(out).toContain("- typo: its tools are not known yet; toolgate upstreams list --check asks it\n");
  });

  it("is told of it by list, in this process and later, and still works", async () => {
    for (const args of [["list", "--check"], ["list"]]) {
      const { code, out } = await upstreams(...args);
      expect(code).toBe(0);
      expect(out.match(/^! .*$/gm)).toEqual([
        '! typo: it has no tool "echoo" (under tools:); did you mean "echo"?',
      ]);
    }
    const { upstreams: status } = JSON.parse((await upstreams("list", "--json")).out) as {
      upstreams: readonly object[];
    };
    expect(status).toEqual([expect.objectContaining({ misnamed: [{ tool: "echoo", closest: "echo" }] })]);
  });
});

describe("a server without any tool", () => {
  it("is known all the same", async () => {
    configure("bare", ["--bare"]);
    await upstreams("list", "--check");
    expect((await upstreams("list")).out).not.toContain("not known yet");
  });
});

describe("toolgate upstreams add", () => {
  it("sees a folder from where it was typed", async () => {
    await upstreams("add", "here", "--no-check", "--cwd", "sub/dir", "--", "prog");
    expect(configured()).toContain(`cwd: '${join(world.root, "sub/dir")}'\n`);
  });

  it.each(["/elsewhere", "~/notes", `\${WORK}/notes`])("leaves the folder %s as it is", async (folder) => {
    await upstreams("add", "here", "--no-check", "--cwd", folder, "--", "prog");
    expect(configured()).toContain(`cwd: '${folder}'\n`);
  });

  it("keeps what another command writes meanwhile", async () => {
    const lock = `${config}.lock`;
    mkdirSync(lock);
    const adding = upstreams("add", "mine", "--no-check", "--", "prog");
    await sleep(100);
    writeFileSync(config, "upstreams:\n  theirs:\n    command: other\n");
    rmSync(lock, { recursive: true });
    expect((await adding).code).toBe(0);
    expect(configured()).toMatch(/theirs:\n(.*\n)* {2}mine:\n/);
  });
});

describe("toolgate upstreams remove", () => {
  it("keeps what another command writes meanwhile", async () => {
    const theirs = "upstreams:\n  theirs:\n    command: other\n";
    writeFileSync(config, "upstreams:\n  mine:\n    command: prog\n");
    const lock = `${config}.lock`;
    mkdirSync(lock);
    const removing = upstreams("remove", "mine");
    await sleep(100);
    writeFileSync(config, `${theirs}  mine:\n    command: prog\n`);
    rmSync(lock, { recursive: true });
    expect((await removing).code).toBe(0);
    expect(configured()).toBe(theirs);
  });

  it("names a command that shows which file has it", async () => {
    const { code, err } = await upstreams("remove", "nosuch");
    expect([code, err]).toEqual([1, expect.stringMatching(/: toolgate config show$/m)]);
    expect((await world.run(["config", "show"])).code).toBe(0);
  });
});
