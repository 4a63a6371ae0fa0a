/** The client's own prompt: a rule that asks is shown there with its reason, and what cannot be read is left to it. */
import { expect, it } from "vitest";
import { serve } from "./serve.ts";
import { bash, callOnce, describeClaudeCode, refused } from "./session.ts";
import { describeTerminal, startAtTerminal } from "./terminal.ts";
import { createWorkbench, type Workbench } from "./workbench.ts";

const rules = `
policies:
  ask-first:
    tools: Bash
    action: ask
    conditions: [{ type: command, operator: startsWith, value: touch }]
    reason: Ann wants to see this one.
  secrets:
    tools: "*"
    action: deny
    conditions: [{ type: path, operator: matches, value: '(^|/)\\.env$' }]
`;
const touch = bash("touch ran.txt");
const unreadable = bash(`python3 -c 'open("ran.txt", "w")'`);

async function installed(): Promise<Workbench> {
  const bench = createWorkbench();
  expect((await bench.toolgate(["install", "claude-code"])).code).toBe(0);
  bench.writeRules(rules);
  return bench;
}

describeTerminal("the own prompt of Claude Code at a terminal", () => {
  it.each(["default", "acceptEdits", "auto"])(
    "shows a rule's question with its reason in mode %s; yes runs the call",
    async (mode) => {
      const bench = await installed();
      // The client would not have asked: the rule does.
      const session = await startAtTerminal(bench, [touch, "All is finished."], { mode, allow: ["Bash"] });
      await session.shows("Ann wants to see this one. (touch ran.txt)");
      await session.shows("Do you want to proceed?");
      expect(bench.has("project/ran.txt")).toBe(false);
      session.type("1");
      await session.shows("All is finished.");
      expect(bench.has("project/ran.txt")).toBe(true);
    },
  );

  it("does not run the call when the person says no", async () => {
    const bench = await installed();
    const session = await startAtTerminal(bench, [touch, "All is finished."]);
    await session.shows("Ann wants to see this one.");
    await session.shows("Do you want to proceed?");
    session.type("2");
    await session.shows("Interrupted");
    expect(bench.has("project/ran.txt")).toBe(false);
  });

  it("is shown while a server runs that nobody watches, too", async () => {
    const bench = await installed();
    const server = await serve(bench);
    const session = await startAtTerminal(bench, [touch, "All is finished."]);
    await session.shows("Ann wants to see this one.");
    expect(await server.ask("/api/approvals")).toMatchObject({ approvals: [] });
    session.type("1");
    await session.shows("All is finished.");
    expect(bench.has("project/ran.txt")).toBe(true);
  });

  it("decides about what cannot be read in advance, as if no rule spoke", async () => {
    const bench = await installed();
    const session = await startAtTerminal(bench, [unreadable, "All is finished."]);
    await session.shows("Do you want to proceed?");
    expect([bench.has("project/ran.txt"), session.screen().includes("requiresconfirmation")]).toEqual([
      false,
      false,
    ]);
    session.type("1");
    await session.shows("All is finished.");
    expect(bench.has("project/ran.txt")).toBe(true);
    expect(session.model.systemMessages().join("\n")).toContain('Policy "secrets" may concern it.');
  });

  it("leaves a working day alone: none of these is refused or asked about by the file that init writes", async () => {
    const bench = await installed();
    bench.writeRules("");
    expect((await bench.toolgate(["init", "--json"])).code).toBe(0);
    for (const file of ["package.json", ".env", "src/a.ts", "old.pyc"]) bench.write(`project/${file}`, "{}");
    const commands = [
      "ls -la src",
      "cat package.json",
      'for f in src/*.ts; do wc -l "$f"; done',
      "find . -name '*.pyc' -exec rm {} +",
      "find src -type f | xargs wc -l",
      "node -e 'console.log(process.version)'",
      "VERSION=$(node -p '1 + 1') && echo $VERSION",
      "FILE=package.json; cat $FILE",
      "bash -c 'mkdir -p build && echo built'",
      "if [ -f package.json ]; then echo yes; fi",
      "grep -rn x src || true",
      "sed -i 's/a/b/' src/a.ts",
    ];
    const calls = commands.map((command, index) => bash(command, `toolu_${index}`));
    const session = await startAtTerminal(bench, [...calls, "All is finished."], { allow: ["Bash"] });
    await session.shows("All is finished.");
    const results = session.model.toolResults();
    expect(results.filter(({ isError }) => isError)).toEqual([]);
    expect(results).toHaveLength(commands.length);
    expect(bench.has("project/old.pyc")).toBe(false);
  });
});

describeClaudeCode("a run of Claude Code without a terminal", () => {
  it("denies by itself what a rule asks about, with the reason, although the client allows it", async () => {
    const bench = await installed();
    for (const mode of ["default", "acceptEdits", "dontAsk", "auto"]) {
      const told = await callOnce(bench, touch, {
        plugin: false,
        allow: ["Bash"],
        args: ["--permission-mode", mode],
      });
      expect([mode, told.isError]).toEqual([mode, true]);
      expect(told.text).toContain("Ann wants to see this one.");
      expect(told.text).not.toContain("Nobody could be asked");
    }
    expect(bench.has("project/ran.txt")).toBe(false);
  });

  it("denies what cannot be read in advance: nobody is there whom its prompt could ask", async () => {
    const bench = await installed();
    const told = await callOnce(bench, unreadable, { plugin: false, allow: ["Bash"] });
    expect(told).toMatchObject(refused('Policy "secrets"'));
    expect(bench.has("project/ran.txt")).toBe(false);
  });
});
