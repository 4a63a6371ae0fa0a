import { describe, expect, it } from "vitest";
import { callInWords } from "../../../../src/surfaces/cli/commands/explain/call-in-words.ts";
import { call, goodFile, useCliWorld } from "./cli-world.ts";
import { expectEnd, refuses, says } from "./expect-end.ts";

describe("a call typed as words", () => {
  it.each<[string, string[], Record<string, unknown>]>([
    ["Bash", ["git push -f"], { command: "git push -f" }],
    [
      "Bash",
      ["git", "commit", "-m", "two words; and more"],
      { command: "git commit -m 'two words; and more'" },
    ],
    ["Bash", ["{ git status; }"], { command: "{ git status; }" }],
    ["shell.exec", ["ls"], { command: "ls" }],
    ["run_terminal_cmd", ["ls"], { command: "ls" }],
    ["write_stdin", ["y"], { text: "y" }],
    ["Read", ["a b.txt"], { file_path: "a b.txt" }],
    ["fs.read", ["a.txt"], { path: "a.txt" }],
    ["NotebookEdit", ["a.ipynb"], { notebook_path: "a.ipynb" }],
    ["Grep", ["TODO"], { pattern: "TODO" }],
    ["WebFetch", ["https://example.com"], { url: "https://example.com" }],
    ["WebSearch", ["how"], { query: "how" }],
    ["Write", ['{"file_path":"a","content":"b"}'], { file_path: "a", content: "b" }],
    ["Whatever", [' {"a":[1]}'], { a: [1] }],
    ["TodoWrite", ["{}"], {}],
    ['A"b', ["{}"], {}],
  ])("%s %j", (tool, input, expected) => {
    const read = callInWords({ tool, input });
    expect(read.ok && JSON.parse(read.text)).toEqual({ tool_name: tool, tool_input: expected });
  });

  it.each<[string, string[], string]>([
    ["Bash", [], "What does Bash get? Write it behind the name: Bash 'COMMAND'"],
    ["mcp__x__y", [], `mcp__x__y '{"field":"text"}'`],
    ["mcp__x__y", ["text"], "Write the input as JSON"],
    ["toString", ["text"], "Write the input as JSON"],
    ["Read", ["a", "b"], "takes one text, its file_path"],
    ["Bash", ['{"command": "git push'], "not valid JSON"],
    ["Edit", ['{"file_path": "a",}'], "not valid JSON"],
  ])("refuses %s %j", (tool, input, message) => {
    const read = callInWords({ tool, input });
    expect(read.ok).toBe(false);
    expect(!read.ok && read.message).toContain(message);
  });
});

describe("check and explain with words", () => {
  const world = useCliWorld((world) => {
    world.file("toolgate.yaml", goodFile);
  });

  it("judge what the same call as JSON is judged as, without a look at standard input", async () => {
    const json = { stdin: call("Bash", { command: "git push --force" }) };
    for (const command of ["check", "explain"]) {
      const asJson = await world.run([command, ...(command === "explain" ? ["--json"] : [])], json);
      const asWords = await world.run(
        [command, "Bash", "git push --force", ...(command === "explain" ? ["--json"] : [])],
        { stdin: "not read" },
      );
      expect(asWords).toEqual(asJson);
    }
  });

  it("take the flags of a command behind --, and options of their own behind the words", async () => {
    await expectEnd(world.run("check Bash -- git push --force"), { code: 2, out: "" });
    expect(await world.json("explain Bash 'git push'")).toMatchObject({ verdict: "abstain" });
  });

  it("show which field the words became", async () => {
    const { out } = await says(world.run("explain Read src/a.ts"));
    expect(out.split("\n")[0]).toBe('Read {"file_path":"src/a.ts"}');
  });

  it("know the fields of tools that are open here by their schemas", async () => {
    const { out } = await says(world.run("explain cs.ticket_get tic_1 --as call --json --enable-tools"));
    expect(JSON.parse(out)).toMatchObject({ tool: "cs.ticket_get" });
    expect(JSON.parse(out).code).not.toBe("invalid_input");
  });

  it("say at a terminal that nothing stands in the way, and nothing to a program", async () => {
    const seen = await world.run("check Bash 'git status'", { isTerminal: true });
    expect(seen).toEqual({ code: 0, out: "", err: "No rule stops this call.\n" });
    await expectEnd(world.run("check Bash 'git status'"), { out: "", err: "" });
  });

  it("refuse words that cannot be read: check with the exit code that blocks", async () => {
    await expectEnd(world.run("check Bash"), { code: 2, out: "" });
    await expectEnd(world.run(["check", "Bash", '{"command":"ls","command":"git push --force"}']), {
      code: 2,
      err: "appears twice",
    });
    await refuses(world.run("explain Bash"));
    await refuses(world.run("explain --batch Bash ls"), "--batch reads calls from standard input");
  });
});
