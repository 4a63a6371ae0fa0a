/** Qoder's form, as its documentation has it. */
import { describe, expect, it } from "vitest";
import type { AgentDecision } from "../../../../src/agents/agent-hook.ts";
import { qoder } from "../../../../src/agents/qoder/agent.ts";
import { qoderHook } from "../../../../src/agents/qoder/hook.ts";
import { qoderSetup } from "../../../../src/agents/qoder/setup.ts";
import { installing } from "../installing.ts";
import { place } from "../place.ts";

const answer = (decision: Partial<AgentDecision> & Pick<AgentDecision, "verdict">, asked = {}) =>
  qoderHook.write("PreToolUse", { contexts: [], warnings: [], ...decision }, asked);
const silence = { stdout: "", stderr: "", exitCode: 0 };

it("a call of Qoder is read as it is sent", () => {
  const sent = {
    session_id: "s-1",
    cwd: "/work",
    hook_event_name: "PreToolUse",
    tool_name: "mcp__store__look",
    tool_input: { a: 1 },
    tool_use_id: "t-1",
  };
  expect(qoderHook.read(JSON.stringify(sent), place)).toMatchObject({
    ok: true,
    input: { tool: "mcp__store__look", input: { a: 1 }, sessionId: "s-1", toolUseId: "t-1", cwd: "/work" },
  });
  expect(qoderHook.read("{", place)).toMatchObject({ ok: false });
});

describe("the answer to Qoder", () => {
  it("is silence, or a denial in all its forms; nothing else that it may take is used", () => {
    expect(answer({ verdict: "abstain", contexts: ["A remark."], warnings: ["For you."] })).toEqual(silence);
    expect(answer({ verdict: "allow", reason: "Fine." })).toEqual(silence);
    for (const verdict of ["deny", "ask"] as const)
      expect(answer({ verdict, reason: "No." })).toEqual({
        stdout:
          '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"No."}}\n',
        stderr: "No.\n",
        exitCode: 2,
      });
  });

  it("refuses a call that a rule changes, and says what to run instead", () => {
    const changed = answer({ verdict: "allow", input: { command: "ls" } }, { command: "rm" });
    expect(changed).toMatchObject({ exitCode: 2 });
    expect(changed.stderr).toBe("A rule changes this call; run this instead: ls\n");
  });

  it("is nothing after a call, and a broken process denies, too", () => {
    const said = { verdict: "abstain", contexts: ["x"], warnings: [], taskEnd: "Over." } as const;
    expect(qoderHook.write("PostToolUse", said, {})).toEqual(silence);
    expect(JSON.parse(qoder.lastWords("Broken."))).toMatchObject({
      hookSpecificOutput: { permissionDecision: "deny", permissionDecisionReason: "Broken." },
    });
  });
});

describe("Qoder's set-up", () => {
  it.for([
    ["user", "home/.qoder/settings.json"],
    ["project", "project/.qoder/settings.json"],
    ["local", "project/.qoder/settings.local.json"],
  ] as const)("for the scope %s is in %s, and is undone to the byte", ([scope, file]) => {
    const { world, install, uninstall, examine } = installing(qoderSetup);
    const mine = '{\n  "model": "auto"\n}\n';
    world.write(file, mine);
    expect(install({ scope })).toMatchObject({ ok: true });
    const { hooks } = JSON.parse(world.read(file));
    expect(Object.keys(hooks)).toEqual([
      "PreToolUse",
      "PostToolUse",
      "PostToolUseFailure",
      "UserPromptSubmit",
    ]);
    expect(hooks.PreToolUse).toEqual([
      {
        matcher: "*",
        hooks: [
          {
            type: "command",
            command: expect.stringMatching(/ qoder\b.*\|\| exit 2$/),
            timeout: expect.any(Number),
          },
        ],
      },
    ]);
    expect(examine()).toEqual([["hooks-installed", "ok"]]);
    expect(uninstall({ scope })).toMatchObject({ ok: true });
    expect(world.read(file)).toBe(mine);
  });
});
