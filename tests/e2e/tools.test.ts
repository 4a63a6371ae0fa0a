/** toolgate's own tools from the command line, as real processes: what is callable, what is refused and by which rule, and that nothing stays behind. */
import { spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const cli = fileURLToPath(new URL("../../src/cli.ts", import.meta.url));
let folder = "";
let project = "";

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-e2e-tools-")));
  project = join(folder, "project");
  mkdirSync(join(folder, "home"));
  mkdirSync(join(project, ".git"), { recursive: true });
  writeFileSync(join(folder, "secret"), "TOP SECRET\n");
  writeFileSync(join(project, "a.txt"), "hello\n");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

function tools(argv: readonly string[], stdin = ""): Promise<Ended> {
  const child = spawn(process.execPath, [cli, "tools", ...argv], {
    cwd: project,
    env: { PATH: process.env.PATH, HOME: join(folder, "home") },
    stdio: "pipe",
  });
  let out = "";
  let err = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    out += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    err += text;
  });
  child.stdin.on("error", () => {});
  child.stdin.end(stdin);
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, out, err })));
}

describe("toolgate tools as processes", () => {
  it("refuses a path outside through the id and an alias alike", async () => {
    const input = '{"path":"../secret"}';
    const [byId, byAlias] = await Promise.all([
      tools(["call", "fs.read", input]),
      tools(["call", "Read", "-"], input),
    ]);
    expect(byId.code).toBe(1);
    expect(byId.err).toContain('by default "outside-workspace"');
    expect(byAlias).toEqual(byId);
  });

  it("reads a file by the names that another agent uses", async () => {
    expect(await tools(["call", "Read", '{"file_path":"a.txt"}'])).toEqual({
      code: 0,
      out: "1\thello\n",
      err: "",
    });
  });

  it("writes a file only where that is switched on", async () => {
    const argv = ["call", "fs.write", '{"path":"b.txt","content":"new\\n"}', "--yes"];
    expect((await tools(argv)).code).toBe(1);
    expect(existsSync(join(project, "b.txt"))).toBe(false);
    expect((await tools([...argv, "--enable-tool-categories", "development"])).code).toBe(0);
    expect(readFileSync(join(project, "b.txt"), "utf8")).toBe("new\n");
  });

  it("runs a command through the gate", async () => {
    const argv = [
      "call",
      "Bash",
      '{"command":"cat a.txt && echo done"}',
      "--enable-tool-categories",
      "shell",
    ];
    expect((await tools(argv)).err).not.toContain("category_disabled");
    const { code, out } = await tools([...argv, "--yes"]);
    expect(code).toBe(0);
    expect(out).toMatch(/^hello\ndone\n/);
  });

  it("leaves no background process behind", async () => {
    const command = "sleep 600";
    const input = JSON.stringify({ command, run_in_background: true });
    const argv = ["call", "shell.exec", input, "--enable-tool-categories", "shell", "--yes", "--json"];
    const { code, out, err } = await tools(argv);
    expect([code, err]).toEqual([0, ""]);
    const { pid } = (JSON.parse(out) as { result: { structured: { pid: number } } }).result.structured;
    expect(() => process.kill(pid, 0)).toThrow("ESRCH");
  });

  it("lists the same tools that it lets be called", async () => {
    const { out } = await tools(["list", "--json"]);
    const ids = (JSON.parse(out) as { id: string }[]).map(({ id }) => id);
    expect(ids).toContain("fs.read");
    expect(ids).not.toContain("fs.write");
  });
});
