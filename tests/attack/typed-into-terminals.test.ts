/** Tools that type into a terminal, under names that nobody listed: what is typed there is a command. */
import { describe, expect, it } from "vitest";
import { createGate, defineTool } from "../../src/index.ts";
import { words } from "../words.ts";
import { noPush, approveAll as yes } from "./command-policies.ts";

async function verdict(tool: string, input: Record<string, unknown>): Promise<string> {
  const gate = await createGate({ policies: [yes, noPush] });
  return (await gate.explain({ tool, input }, { as: "check" })).verdict;
}

describe("a denied command that is typed into a terminal", () => {
  it.each([
    ...words("send_keys sendKeys send_command_input write_to_terminal terminal_input type_in_terminal"),
    ...words("terminal.write mcp__term__send_keys mcp__tmux__send-keys mcp__pty__write_stdin"),
    ...words("interact_with_process paste_into_console writeToPty"),
  ])("is denied in %s", async (tool) => {
    for (const field of ["text", "input", "keys", "data", "chars", "line"]) {
      const typed = await verdict(tool, { id: 1, [field]: "cd x && git push\n" });
      expect([field, typed]).toEqual([field, "deny"]);
      expect([field, await verdict(tool, { id: 1, [field]: "ls -la\n" })]).toEqual([field, "allow"]);
    }
  });

  it.each([
    [{ keys: ["git push", "Enter"] }],
    [{ keys: ["git", "Space", "push", "C-m"] }],
    [{ keys: [..."git push", "Enter"] }],
    [{ keys: "git push Enter" }],
    [{ text: "git push<Enter>" }],
    [{ text: "git push{enter}" }],
    [{ text: "git push\\n" }],
    [{ text: "\u0003git push\r" }],
    [{ text: "ls\rgit push\r" }],
  ])("is denied in keys and with written-out breaks: %j", async (input) => {
    expect(await verdict("send_keys", input)).toBe("deny");
  });

  it("asks where keys change what was typed", async () => {
    expect(await verdict("send_keys", { keys: ["git pux", "BSpace", "sh", "Enter"] })).toBe("ask");
    expect(await verdict("send_keys", { text: "git pux\u007fsh\n" })).toBe("ask");
  });

  it("is denied in a tool of an MCP server that states no roles", async () => {
    const tool = defineTool({
      id: "term.send_keys",
      description: "Types.",
      permission: "execute",
      capabilities: ["mcp:term"],
      input: { type: "object", properties: { keys: { type: "string" } }, additionalProperties: false },
      run: () => "typed",
    });
    const gate = await createGate({ tools: [tool], policies: [yes, noPush] });
    const explain = (keys: string) => gate.explain({ tool: "term.send_keys", input: { keys } });
    expect((await explain("git push\n")).verdict).toBe("deny");
    expect((await explain("ls\n")).verdict).toBe("allow");
  });
});

it.each([
  ["send_keys", { keys: "C-c" }],
  ["send_keys", { text: "\u0003" }],
  ["send_keys", { selector: "#q", text: "git push (it's" }],
  ["mcp__selenium__send_keys", { text: "git push (it's" }],
  ["browser_type", { text: "git push (it's" }],
  ["browser_press_keys", { keys: "git push" }],
  ["send_message", { text: "git push (it's" }],
  ["send_input", { message: "please git push (it's" }],
  ["write_file", { path: "a", content: "git push (it's" }],
  ["read_terminal_output", { text: "git push (it's" }],
  ["write_console_log", { text: "git push (it's" }],
  ["process_input", { data: "git push (it's" }],
  ["set_command_type", { value: "git push (it's" }],
  ["process_data", { data: "git push (it's" }],
])("other tools are left alone %s %j", async (tool, input) => {
  expect(await verdict(tool, input)).toBe("allow");
});
