/** The command line as a real process: exit codes, pipes that close, Ctrl-C, a Node that is too old. */
import { spawn } from "node:child_process";
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CliWorld, cli, createCliWorld, ended } from "./cli-process.ts";

let folder = "";
let project = "";
let start: CliWorld["start"];
let run: CliWorld["run"];
let world: CliWorld;

beforeAll(() => {
  world = createCliWorld();
  ({ folder, project, start, run } = world);
  file(
    "toolgate.yaml",
    `routes:
  no-force-push:
    tool: Bash
    pattern: git push.*--force
    message: Do not force-push; open a pull request.
    tests:
      - desc: a forced push should block
        input: {tool_name: Bash, tool_input: {command: git push --force}}
        expect: block
`,
  );
});
afterAll(() => world.close());

function file(name: string, text: string): string {
  const path = join(project, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

/** Makes the process believe that it is this Node. */
function older(version: string): string[] {
  const pretend = join(folder, `pretend-${version}.mjs`);
  const versions = `{ ...process.versions, node: "${version}" }`;
  writeFileSync(pretend, `Object.defineProperty(process, "versions", { value: ${versions} });`);
  return ["--import", pretend];
}

const fetches = (url: string) => JSON.stringify({ tool_name: "WebFetch", tool_input: { url } });
const bash = (command: string) => JSON.stringify({ tool_name: "Bash", tool_input: { command } });

describe("toolgate check as a process", () => {
  it("blocks a pull request's page with exit 2 and says what to do on standard error", async () => {
    const { code, out, err } = await run(["check"], fetches("https://github.com/foo/bar/pull/123"));
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain("gh pr view 123 --repo foo/bar");
  });

  it("lets the repository's page pass with exit 0 and silence", async () => {
    expect(await run(["check"], fetches("https://github.com/foo/bar"))).toEqual({
      code: 0,
      out: "",
      err: "",
    });
  });

  it.each([
    ["no JSON", "git push", "not valid JSON"],
    ["what is not UTF-8", Buffer.from([0x7b, 0xff, 0x7d]), "UTF-8"],
    [
      "more than it reads",
      `{"tool_name":"Bash","tool_input":{"command":"${"x".repeat(17 * 1024 * 1024)}"}}`,
      "bytes",
    ],
  ])("blocks on %s, with a message and exit 2", async (_what, stdin, message) => {
    const { code, out, err } = await run(["check"], stdin);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain(message);
    expect(err).not.toContain("    at ");
  });

  it("hands over to the bundled hook where there is one, also on a Node that is too old for the rest", async () => {
    const packed = join(folder, "packed");
    mkdirSync(join(packed, "hook"), { recursive: true });
    writeFileSync(join(packed, "package.json"), '{"type":"module"}');
    copyFileSync(cli, join(packed, "cli.ts"));
    const hook = "process.stdout.write(JSON.stringify(process.argv.slice(2))); process.exitCode = 2;";
    writeFileSync(join(packed, "hook/hook.cjs"), hook);
    writeFileSync(join(packed, "hook/agent-claude-code.cjs"), "");
    const handed = async (...argv: string[]) => {
      const child = spawn(process.execPath, [...older("20.19.5"), join(packed, "cli.ts"), ...argv], {
        stdio: "pipe",
      });
      child.stdin.end();
      return ended(child);
    };
    expect(await handed("check")).toEqual({ code: 2, out: "[]", err: "" });
    expect(await handed("check", "--agent", "claude-code")).toMatchObject({ out: '["claude-code"]' });
    const other = await handed("check", "--config", "x.yaml");
    expect([other.code, other.out]).toEqual([2, ""]);
    expect(other.err).toContain("Node 22.18");
  });

  it("is loaded without the machinery of the other commands", async () => {
    const trace = join(folder, "trace.mjs");
    writeFileSync(
      trace,
      `import { registerHooks } from "node:module";
import { appendFileSync } from "node:fs";
registerHooks({ load(url, context, next) { appendFileSync(${JSON.stringify(join(folder, "loaded.txt"))}, url + "\\n"); return next(url, context); } });
`,
    );
    await run(["check"], bash("ls"));
    await run(["check"], bash("ls"), ["--import", trace]);
    const loaded = readFileSync(join(folder, "loaded.txt"), "utf8").split("\n");
    expect(loaded.some((url) => url.endsWith("/cli.ts"))).toBe(true);
    expect(
      loaded.filter((url) => /node_modules\/(commander|yaml|@clack|picocolors|typebox)\//.test(url)),
    ).toEqual([]);
  });
});

describe("the other commands as processes", () => {
  it("test: prints the tests of a file and exits 1 when one fails", async () => {
    file(
      "two.yaml",
      `${readFileSync(join(project, "toolgate.yaml"), "utf8")}      - {desc: wrong, input: {tool_name: Bash, tool_input: {command: ls}}, expect: block}\n`,
    );
    const { code, out } = await run(["test", "two.yaml"]);
    expect(code).toBe(1);
    expect(out).toMatch(
      /^two\.yaml\n {2}✓ no-force-push: a forced push should block\n {2}✗ no-force-push: wrong\n/,
    );
    expect(out).toMatch(/\n1 test passed, 1 failed\n$/);
  });

  it("list: says that the folder it stands in is gone", async () => {
    const gone = join(folder, "gone");
    mkdirSync(gone);
    const child = spawn("/bin/sh", ["-c", 'rmdir "$PWD"; exec "$0" "$@"', process.execPath, cli, "list"], {
      cwd: gone,
    });
    const { code, out, err } = await ended(child);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toMatch(/^toolgate: .*(uv_cwd|cwd)/);
    expect(err).not.toContain("    at ");
  });

  it("list: is quiet when its reader leaves early", async () => {
    // More than a pipe holds, so that the writer is still at it when the reader goes.
    const rules = Array.from(
      { length: 2_500 },
      (_, index) => `  r${index}: {tool: Bash, pattern: x${index}, message: m}`,
    );
    file("many.yaml", `routes:\n${rules.join("\n")}\n`);
    const child = start(["list", "--config", "many.yaml"]);
    child.stdout?.once("data", () => child.stdout?.destroy());
    const { code, err } = await ended(child);
    expect([code, err]).toEqual([0, ""]);
  });

  it.runIf(existsSync("/dev/full"))("list: fails when its output is lost", async () => {
    const full = openSync("/dev/full", "w");
    const argv = [cli, "list", "--config", "toolgate.yaml"];
    const child = spawn(process.execPath, argv, { cwd: project, stdio: ["ignore", full, "pipe"] });
    closeSync(full);
    const { code, err } = await ended(child);
    expect(code).toBe(1);
    expect(err).toMatch(/^toolgate: Standard output cannot be written: ENOSPC/);
  });

  it("explain --batch: ends when its reader leaves, though its input never does", async () => {
    const child = start(["explain", "--batch"]);
    child.stdin?.on("error", () => {});
    child.stdout?.once("data", () => child.stdout?.destroy());
    const feed = setInterval(() => child.stdin?.write(`${bash("ls")}\n`.repeat(100)), 20);
    const { code } = await ended(child);
    clearInterval(feed);
    expect(code).toBe(0);
  });

  it("explain --batch: explains ten thousand calls in one process", async () => {
    const calls = Array.from({ length: 10_000 }, (_, index) =>
      bash(`git push --force origin b${index}`),
    ).join("\n");
    const { code, out } = await run(["explain", "--batch"], calls);
    expect(code).toBe(0);
    const lines = out.trimEnd().split("\n");
    expect(lines).toHaveLength(10_000);
    expect(lines.every((line) => line.startsWith('{"verdict":"deny"'))).toBe(true);
  });

  it("explain --batch: ends with 130 on Ctrl-C while it waits for more, without a word", async () => {
    const child = start(["explain", "--batch", "--config", "toolgate.yaml"]);
    child.stdout?.once("data", () => child.kill("SIGINT"));
    child.stdin?.write(`${bash("ls")}\n`);
    const { code, out, err } = await ended(child);
    expect([code, err]).toEqual([130, ""]);
    expect(out.trimEnd().split("\n")).toHaveLength(1);
  });

  it("test --watch: runs again after a change, and ends with 130 on Ctrl-C", async () => {
    const watched = file("watched.yaml", readFileSync(join(project, "toolgate.yaml"), "utf8"));
    const child = start(["test", "--watch", "watched.yaml"]);
    let rounds = 0;
    child.stderr?.on("data", (text: Buffer) => {
      if (!text.toString().includes("Watching")) return;
      rounds++;
      if (rounds === 1) writeFileSync(watched, "routes: {}\n");
      else child.kill("SIGINT");
    });
    const { code, out, err } = await ended(child);
    expect(code).toBe(130);
    expect(out).toContain("1 test passed, 0 failed");
    expect(out).toContain("There are no tests");
    expect(err).not.toContain("    at ");
  });

  it("refuses what it does not know with exit 1 and a suggestion", async () => {
    const { code, out, err } = await run(["lst"]);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain("Did you mean list?");
  });

  it("prints help for nothing at all", async () => {
    const { code, out } = await run([]);
    expect(code).toBe(0);
    expect(out).toContain("Usage: toolgate");
  });
});

describe("a Node that is too old", () => {
  it("is told so", async () => {
    const { code, out, err } = await run(["list"], "", older("22.17.1"));
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain("toolgate needs Node 22.18 or newer");
  });

  it("blocks a check, because agents let a call pass on exit 1", async () => {
    const { code } = await run(["check"], bash("ls"), older("20.0.0"));
    expect(code).toBe(2);
  });

  it("does not mean 22.18.0", async () => {
    expect((await run(["--version"], "", older("22.18.0"))).code).toBe(0);
  });
});
