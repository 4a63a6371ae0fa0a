import { describe, expect, it } from "vitest";
import { readStarlarkCalls } from "../../../../src/agents/permissions/starlark-calls.ts";

const argumentsOf = (text: string) => {
  const read = readStarlarkCalls(text);
  return read.ok ? read.calls.map((call) => call.arguments) : read.message;
};

describe("a rule file of Codex", () => {
  it("is read with comments, commas at the end, both kinds of quotes and lists in lists", () => {
    const text = `# mine
prefix_rule(
    pattern = ["git", ['push', "fetch"],],  # two of them
    decision = 'prompt',
    justification = """Ask
first.""",
)
host_executable(name = r"g\\it", paths = ())`;
    expect(argumentsOf(text)).toEqual([
      { pattern: ["git", ["push", "fetch"]], decision: "prompt", justification: "Ask\nfirst." },
      { name: "g\\it", paths: [] },
    ]);
  });

  it("says the line of what it does not understand", () => {
    for (const text of [
      "x = 1",
      "def f():\n  pass",
      "prefix_rule(pattern=[x])",
      "prefix_rule(['ls'])",
      "prefix_rule(pattern=['a'] + ['b'])",
      "prefix_rule(pattern=['a' if True else 'b'])",
      "prefix_rule(pattern=f'x')",
      "prefix_rule(pattern=['a)",
      "prefix_rule(pattern=['\\x41'])",
      "prefix_rule(pattern=['a'], pattern=['b'])",
      "[prefix_rule(pattern=[x]) for x in ['a']]",
    ])
      expect(readStarlarkCalls(`prefix_rule(pattern=["ls"])\n${text}`), text).toMatchObject({ ok: false });
    expect(readStarlarkCalls('prefix_rule(pattern=["ls"])\nload("x")')).toEqual({
      ok: false,
      message: "the arguments of load must have names",
      line: 2,
    });
  });
});
