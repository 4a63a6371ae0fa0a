import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CliWorld, createCliWorld, type Ended } from "./cli-process.ts";

let folder = "";
let project = "";
let world: CliWorld;

beforeAll(() => {
  world = createCliWorld();
  ({ folder, project } = world);
  writeFileSync(join(folder, "secret"), "TOP SECRET\n");
  writeFileSync(join(project, "a.txt"), "hello\n");
});
afterAll(() => world.close());

function tools(argv: readonly string[], stdin = ""): Promise<Ended> {
  return world.run(["tools", ...argv], stdin);
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
    const ids = (JSON.parse(out) as { tools: { id: string }[] }).tools.map(({ id }) => id);
    expect(ids).toContain("fs.read");
    expect(ids).not.toContain("fs.write");
  });
});
