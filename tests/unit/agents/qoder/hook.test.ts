/** Qoder's form, as its documentation has it. */
import { describe, expect, it } from "vitest";
import { qoderHook } from "../../../../src/agents/qoder/hook.ts";
import { qoderSetup } from "../../../../src/agents/qoder/setup.ts";
import { installedInto } from "../installing.ts";
import { denial, denies, silence, talkingTo } from "../talking.ts";

const { read, taken, answer } = talkingTo(qoderHook);

it("a call of Qoder is read as it is sent", () => {
  const call = { tool_name: "mcp__store__look", tool_input: { a: 1 }, tool_use_id: "t-1" };
  expect(taken({ session_id: "s-1", cwd: "/work", hook_event_name: "PreToolUse", ...call })).toMatchObject({
    tool: "mcp__store__look",
    input: { a: 1 },
    sessionId: "s-1",
    toolUseId: "t-1",
    cwd: "/work",
  });
  expect(read("{")).toMatchObject({ ok: false });
});

describe("the answer to Qoder", () => {
  it("is silence, or a denial in all its forms; nothing else that it may take is used", () => {
    expect(answer({ contexts: ["A remark."], warnings: ["For you."] })).toEqual(silence);
    expect(answer({ verdict: "allow", reason: "Fine." })).toEqual(silence);
    expect(answer({ verdict: "deny", reason: "No." })).toEqual(denies("No.", denial("No.")));
  });

  it("refuses a call that a rule changes, and says what to run instead", () => {
    const changed = answer({ verdict: "allow", input: { command: "ls" } }, { command: "rm" });
    const stderr = "A rule changes this call; run this instead: ls\n";
    expect(changed).toMatchObject({ exitCode: 2, stderr });
  });

  it("is nothing after a call", () => {
    expect(answer({ contexts: ["x"], taskEnd: "Over." }, {}, "PostToolUse")).toEqual(silence);
  });
});

describe("Qoder's set-up", () => {
  it.for([
    ["user", "home/.qoder/settings.json"],
    ["project", "project/.qoder/settings.json"],
    ["local", "project/.qoder/settings.local.json"],
  ] as const)("for the scope %s is in %s, and is undone to the byte", ([scope, file]) => {
    const { hooks } = JSON.parse(installedInto(qoderSetup, file, '{\n  "model": "auto"\n}\n', { scope }));
    const events = ["PreToolUse", "PostToolUse", "PostToolUseFailure", "UserPromptSubmit"];
    expect(Object.keys(hooks)).toEqual(events);
    const command = expect.stringMatching(/ qoder\b.*\|\| exit 2$/);
    const ours = { type: "command", command, timeout: expect.any(Number) };
    expect(hooks.PreToolUse).toEqual([{ matcher: "*", hooks: [ours] }]);
  });
});
