import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { expectEnd, says } from "../unit/surfaces/cli/expect-end.ts";
import { useCliWorld } from "./use-cli-world.ts";

const world = useCliWorld(({ file }) => file("a.txt", "hello\n"));
const shell = ["--enable-tool-categories", "shell"];
const tools = (argv: readonly string[], stdin = "") => world.run(["tools", ...argv], stdin);

describe("toolgate tools as processes", () => {
  it("reads a file by the names that another agent uses, also from standard input", async () => {
    const input = '{"file_path":"a.txt"}';
    const read = { code: 0, out: "1\thello\n", err: "" };
    expect(await tools(["call", "Read", input])).toEqual(read);
    expect(await tools(["call", "Read", "-"], input)).toEqual(read);
  });

  it("runs a command through the gate", async () => {
    const argv = ["call", "Bash", '{"command":"cat a.txt && echo done"}', ...shell];
    expect((await tools(argv)).err).not.toContain("category_disabled");
    await says(tools([...argv, "--yes"]), /^hello\ndone\n/);
  });

  it("leaves no background process behind", async () => {
    const input = JSON.stringify({ command: "sleep 600", run_in_background: true });
    const argv = ["call", "shell.exec", input, ...shell, "--yes", "--json"];
    const { out } = await expectEnd(tools(argv), { err: "" });
    expect(() => process.kill(JSON.parse(out).result.structured.pid, 0)).toThrow("ESRCH");
  });

  it("calls the tool of a plugin file, and takes a value as text, not as code", async () => {
    const handler = { type: "shell", command: "grep -n '{{pattern}}' a.txt || true" };
    const properties = { pattern: { type: "string" } };
    const search = {
      name: "search",
      description: "Searches.",
      inputSchema: { type: "object", properties },
      handler,
    };
    const folder = join(world.home, ".config/toolgate/tools");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "search.json"), JSON.stringify({ name: "one", tools: [search] }));
    const call = (pattern: string) => tools(["call", "search", JSON.stringify({ pattern })]);
    await says(call("hello"), /^1:hello\n$/);
    await says(call("'; touch PWNED; '"), /^\(no output\)\n$/);
    expect(readdirSync(world.project)).not.toContain("PWNED");
  });
});
