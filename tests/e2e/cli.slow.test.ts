/** The command line as a real process: exit codes, pipes that close, Ctrl-C, a Node that is too old. */
import { spawn } from "node:child_process";
import { closeSync, copyFileSync, existsSync, mkdirSync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { expectEnd, refuses } from "../unit/surfaces/cli/expect-end.ts";
import { cli, ended } from "./cli-process.ts";
import { useCliWorld } from "./use-cli-world.ts";

const rules = `routes:
  no-force-push:
    tool: Bash
    pattern: git push.*--force
    message: Do not force-push; open a pull request.
    tests:
      - desc: a forced push should block
        input: {tool_name: Bash, tool_input: {command: git push --force}}
        expect: block
`;
const world = useCliWorld(({ file }) => file("toolgate.yaml", rules));
const { folder, project, file, start, run } = world;

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
    const checked = run(["check"], fetches("https://github.com/foo/bar/pull/123"));
    await expectEnd(checked, { code: 2, out: "", err: "gh pr view 123 --repo foo/bar" });
  });

  it("lets the repository's page pass with exit 0 and silence", async () => {
    await expectEnd(run(["check"], fetches("https://github.com/foo/bar")), { out: "", err: "" });
  });

  it("hands over to the bundled hook where there is one, also on a Node that is too old for the rest", async () => {
    const packed = join(folder, "packed");
    mkdirSync(join(packed, "hook"), { recursive: true });
    writeFileSync(join(packed, "package.json"), '{"type":"module"}');
    copyFileSync(cli, join(packed, "cli.js"));
    const hook = "process.stdout.write(JSON.stringify(process.argv.slice(2))); process.exitCode = 2;";
    writeFileSync(join(packed, "hook/hook.cjs"), hook);
    writeFileSync(join(packed, "hook/agent-claude-code.cjs"), "");
    const handed = (...argv: string[]) => {
      const child = spawn(process.execPath, [...older("20.19.5"), join(packed, "cli.js"), ...argv]);
      child.stdin.end();
      return ended(child);
    };
    expect(await handed("check")).toEqual({ code: 2, out: "[]", err: "" });
    expect(await handed("check", "--agent", "claude-code")).toMatchObject({ out: '["claude-code"]' });
    await expectEnd(handed("check", "--config", "x.yaml"), { code: 2, out: "", err: "Node 22.18" });
  });
});

describe("the other commands as processes", () => {
  it("list: says that the folder it stands in is gone", async () => {
    const gone = join(folder, "gone");
    mkdirSync(gone);
    const argv = ["-c", 'rmdir "$PWD"; exec "$0" "$@"', process.execPath, cli, "list"];
    await refuses(ended(spawn("/bin/sh", argv, { cwd: gone })), /^toolgate: .*(uv_cwd|cwd)/);
  });

  it("list: is quiet when its reader leaves early", async () => {
    // More than a pipe holds, so that the writer is still at it when the reader goes.
    const many = Array.from(
      { length: 2_500 },
      (_, at) => `  r${at}: {tool: Bash, pattern: x${at}, message: m}`,
    );
    file("many.yaml", `routes:\n${many.join("\n")}\n`);
    const child = start(["list", "--config", "many.yaml"]);
    child.stdout?.once("data", () => child.stdout?.destroy());
    await expectEnd(ended(child), { err: "" });
  });

  it.runIf(existsSync("/dev/full"))("list: fails when its output is lost", async () => {
    const full = openSync("/dev/full", "w");
    const argv = [cli, "list", "--config", "toolgate.yaml"];
    const child = spawn(process.execPath, argv, { cwd: project, stdio: ["ignore", full, "pipe"] });
    closeSync(full);
    await refuses(ended(child), /^toolgate: Standard output cannot be written: ENOSPC/);
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

  it("explain --batch: ends with 130 on Ctrl-C while it waits for more, without a word", async () => {
    const child = start(["explain", "--batch", "--config", "toolgate.yaml"]);
    child.stdout?.once("data", () => child.kill("SIGINT"));
    child.stdin?.write(`${bash("ls")}\n`);
    const { out } = await expectEnd(ended(child), { code: 130, err: "" });
    expect(out.trimEnd().split("\n")).toHaveLength(1);
  });
});

describe("a Node that is too old", () => {
  it("is told so", async () => {
    await refuses(run(["list"], "", older("22.17.1")), "toolgate needs Node 22.18 or newer");
  });

  it("blocks a check, because agents let a call pass on exit 1", async () => {
    expect((await run(["check", "--config", "x"], bash("ls"), older("20.0.0"))).code).toBe(2);
  });

  it("does not mean 22.18.0", async () => {
    expect((await run(["--version"], "", older("22.18.0"))).code).toBe(0);
  });
});
