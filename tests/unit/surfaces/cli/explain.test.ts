import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { call, goodFile, type RunOptions, useCliWorld } from "./cli-world.ts";
import { expectEnd, fails, refuses, says } from "./expect-end.ts";

const rules = `${goodFile}policies:
  ask-make: {tools: Bash, action: ask, conditions: [{type: command, operator: startsWith, value: make}]}
`;
const world = useCliWorld(({ file }) => file("rules.yaml", rules));
const explain = (stdin: string | AsyncIterable<string>, more = "", options: RunOptions = {}) =>
  world.run(`explain --config rules.yaml ${more}`, { stdin, ...options });
const explained = async (stdin: string, more = "") =>
  JSON.parse((await explain(stdin, `--json ${more}`)).out);
const push = call("Bash", { command: "git push --force" });

describe("toolgate explain", () => {
  it("tells verdict, rule and place, then the walk stage by stage", async () => {
    const { out } = await says(explain(push));
    const lines = out.split("\n");
    expect(lines[0]).toBe('deny shell.exec, decided at route, by route "no-force-push" (rules.yaml:2)');
    expect(lines[1]).toBe("  Do not force-push; open a pull request.");
    expect(out).toMatch(
      /\n {2}resolve {7}"Bash" is a tool of the agent's own \(shell\.exec\)\n {2}route {9}blocked: /,
    );
  });

  it.each([
    [
      "make all",
      "in toolgate approvals or in the agent's own prompt (hooks.ask); without either it is refused",
    ],
    ["python3 -c 'print(1)'", "unless the agent's own prompt is on and decides (hooks.unsure)"],
  ])("says who can approve %s", async (command, who) => {
    await says(explain(call("Bash", { command })), `\n  approve       a person must approve it, ${who}\n`);
  });

  it("prints the explanation of the gate as JSON", async () => {
    const file = join(world.root, "rules.yaml");
    expect(await explained(push)).toMatchObject({
      verdict: "deny",
      stage: "route",
      rule: { kind: "route", name: "no-force-push", source: { file, line: 2 } },
      source: `${file}:2`,
      message: "Do not force-push; open a pull request.",
      hint: expect.any(String),
      walk: [{ stage: "resolve" }, { stage: "route" }],
    });
  });

  it.each([
    ["make all", "ask", "approve"],
    ["git status", "abstain", "permit"],
    ["git push --force", "deny", "route"],
  ])("explains %s as %s", async (command, verdict, stage) => {
    expect(await explained(call("Bash", { command }))).toMatchObject({ verdict, stage });
  });

  it("explains as a check by default, and as a call of our own on demand", async () => {
    const closed = await explained(call("Bash", { command: "ls" }), "--as call");
    expect(closed).toMatchObject({ tool: "shell.exec", code: "category_disabled" });
    const unknown = await explained('{"tool_name":"Unheard","tool_input":{}}', "--as call");
    expect(unknown).toMatchObject({ stage: "resolve", code: "unknown_tool" });
  });

  it("knows our own tools, their inputs and what is switched on, one call or many", async () => {
    const write = '{"tool_name":"Write","tool_input":{"file_path":"a.txt","content":"x"}}';
    const open = "--as call --enable-tool-categories editing";
    expect(await explained(write, open)).toMatchObject({
      verdict: "ask",
      tool: "fs.write",
      stage: "approve",
    });
    const wrong = '{"tool_name":"fs.write","tool_input":{"path":"a.txt"}}';
    const lines = await explain(`${write}\n${wrong}\n`, `--batch ${open}`);
    expect(linesOf(lines.out)).toMatchObject([
      { verdict: "ask", tool: "fs.write" },
      { verdict: "deny", stage: "validate", code: "invalid_input" },
    ]);
    expect(existsSync(join(world.root, "a.txt"))).toBe(false);
  });

  it.each([
    ["", "Standard input is empty"],
    ["{", "not valid JSON"],
    ["[1]", "must be a JSON object"],
    ['{"tool_name":"Bash"}', "tool_input"],
  ])("refuses %j with one message", async (stdin, message) => {
    const { err } = await refuses(explain(stdin), message);
    expect(err.trim().split("\n")).toHaveLength(1);
  });

  it("says what it waits for on a terminal", async () => {
    await expectEnd(explain(push, "", { stdinIsTerminal: true }), {
      err: "Waiting for one tool call as JSON",
    });
  });

  it("explains nothing with a configuration that cannot be used", async () => {
    world.file("rules.yaml", "routes: 7\n");
    await refuses(explain(push, "--batch"), "rules.yaml:1:");
  });
});

describe("toolgate explain --batch", () => {
  it("answers each line with one line, in order", async () => {
    const stdin = ["git push --force", "git status", "make"]
      .map((command) => call("Bash", { command }))
      .join("\n");
    const { out } = await says(explain(`${stdin}\n`, "--batch"));
    expect(linesOf(out).map(({ verdict }) => verdict)).toEqual(["deny", "abstain", "ask"]);
  });

  it("answers a bad line with an error and its number, goes on, and ends with exit 1", async () => {
    const stdin = [push, "{nonsense", "", push, '{"tool_name":""}', push].join("\n");
    const { out } = await fails(explain(stdin, "--batch"));
    expect(linesOf(out).map(({ verdict, line }) => verdict ?? line)).toEqual(["deny", 2, "deny", 5, "deny"]);
    expect(linesOf(out)[1]?.error).toContain("not valid JSON");
  });

  it("takes lines in any pieces, with and without the last line feed, and Windows line ends", async () => {
    async function* pieces() {
      const text = `${push}\r\n${call("Bash", { command: "git status # é" })}\r\n${push}`;
      for (const character of text) yield character;
    }
    const { out } = await says(explain(pieces(), "--batch"));
    expect(linesOf(out).map(({ verdict }) => verdict)).toEqual(["deny", "abstain", "deny"]);
  });

  it("answers what has come before it waits for more", async () => {
    const seen: string[] = [];
    async function* conversation() {
      for (let round = 1; round <= 3; round++) {
        yield `${push}\n`;
        expect(linesOf(seen.join(""))).toHaveLength(round);
      }
    }
    await says(explain(conversation(), "--batch", { onOut: (text) => seen.push(text) }));
    expect(linesOf(seen.join(""))).toHaveLength(3);
  });

  it("stops reading when nobody wants the answers any more", async () => {
    const ending = new AbortController();
    let asked = 0;
    async function* endless() {
      for (;;) {
        asked++;
        yield `${push}\n`;
        if (asked === 3) ending.abort();
      }
    }
    await explain(endless(), "--batch", { signal: ending.signal });
    expect(asked).toBe(4);
  });

  it("does not keep a line that is longer than any call", async () => {
    async function* pieces() {
      for (let index = 0; index < 9; index++) yield "x".repeat(1024 * 1024);
      yield `\n${push}\n`;
    }
    const { out } = await fails(explain(pieces(), "--batch"));
    expect(linesOf(out)).toMatchObject([
      { line: 1, error: expect.stringContaining("longer than") },
      { verdict: "deny" },
    ]);
  });

  it("answers nothing to nothing", async () => {
    await expectEnd(explain("", "--batch"), { out: "" });
    await expectEnd(explain("\n\n", "--batch"), { out: "" });
  });
});

function linesOf(out: string): { verdict?: string; error?: string; line?: number }[] {
  return out
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}
