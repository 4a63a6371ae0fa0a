/** Crush's form, as its documentation has it. */
import { describe, expect, it } from "vitest";
import type { AgentDecision } from "../../../../src/agents/agent-hook.ts";
import { crush } from "../../../../src/agents/crush/agent.ts";
import { crushHook } from "../../../../src/agents/crush/hook.ts";
import { readCrushCall } from "../../../../src/agents/crush/read-call.ts";
import { crushSetup } from "../../../../src/agents/crush/setup.ts";
import { installing } from "../installing.ts";
import { place } from "../place.ts";

const sent = {
  event: "PreToolUse",
  session_id: "313909e",
  cwd: "/work/project",
  tool_name: "bash",
  tool_input: { command: "npm test", timeout: 60_000 },
};
const read = (value: object, here = place) => readCrushCall(JSON.stringify(value), here);
const answer = (decision: Partial<AgentDecision> & Pick<AgentDecision, "verdict">, asked = {}) =>
  crushHook.write("PreToolUse", { contexts: [], warnings: [], ...decision }, asked);
const silence = { stdout: "", stderr: "", exitCode: 0 };

describe("a call of Crush", () => {
  it("is read as it is sent", () => {
    expect(read(sent)).toEqual({
      ok: true,
      input: {
        event: "PreToolUse",
        tool: "bash",
        input: sent.tool_input,
        mode: "act",
        sessionId: "313909e",
        cwd: "/work/project",
      },
    });
  });

  it("of an MCP server gets the name that rules know, by the servers in Crush's files", () => {
    const { world } = installing(crushSetup);
    world.write("home/.config/crush/crush.json", '{ "mcp": { "my_server": {} } }\n');
    world.write("project/.crush.json", { mcp: { other: {}, my_server_two: {} } });
    const here = { home: world.home, env: {}, projectDir: world.project };
    const named = (tool_name: string) => read({ ...sent, tool_name }, here);
    expect(named("mcp_my_server_look_at")).toMatchObject({
      ok: true,
      input: { tool: "mcp__my_server__look_at", agentTool: "mcp_my_server_look_at" },
    });
    expect(named("mcp_other_look")).toMatchObject({ ok: true, input: { tool: "mcp__other__look" } });
    expect(named("mcp_my_server_two_look")).toMatchObject({
      ok: false,
      message: expect.stringContaining("two MCP servers"),
    });
    expect(named("mcp_un_known_look")).toMatchObject({ ok: false });
    expect(named("mcp_unknown_look")).toMatchObject({ ok: true, input: { tool: "mcp__unknown__look" } });
  });

  it("whose fields are not in small letters is refused: Crush takes them all the same, and no rule would", () => {
    const refused = { ok: false, message: expect.stringContaining("small letters") };
    const asked = (tool_name: string, tool_input: object) => read({ ...sent, tool_name, tool_input });
    expect(asked("bash", { Command: "danger" })).toMatchObject(refused);
    expect(asked("bash", { command: "ls", COMMAND: "danger" })).toMatchObject(refused);
    // Two letters that fold into s and k.
    expect(asked("x", { ta\u017fk: 1 })).toMatchObject(refused);
    expect(asked("x", { tas\u212a: 1 })).toMatchObject(refused);
    expect(asked("multiedit", { file_path: "/a", edits: [{ new_String: "x" }] })).toMatchObject(refused);
    expect(asked("mcp_store_look", { Path: "/a" })).toMatchObject({
      ok: true,
      input: { input: { Path: "/a" } },
    });
  });

  it("that cannot be read is refused", () => {
    expect(readCrushCall("{", place)).toMatchObject({ ok: false });
    expect(read({ ...sent, tool_input: "x" })).toMatchObject({ ok: false });
    expect(read({ ...sent, tool_name: "" })).toMatchObject({ ok: false });
    expect(read({ ...sent, event: "PreCompact" })).toMatchObject({ ok: false });
  });
});

describe("the answer to Crush", () => {
  it("is silence when no rule speaks, and allows only where a rule does: it skips the prompt", () => {
    expect(answer({ verdict: "abstain", reason: "Nothing matched." })).toEqual(silence);
    expect(answer({ verdict: "allow" })).toEqual({ ...silence, stdout: '{"decision":"allow"}\n' });
  });

  it("denies by exit code and text, says it in its form, too, and never asks", () => {
    for (const verdict of ["deny", "ask"] as const)
      expect(answer({ verdict, reason: "No.", contexts: ["A remark."] })).toEqual({
        stdout: '{"decision":"deny","reason":"No.\\n\\nA remark."}\n',
        stderr: "No.\n\nA remark.\n",
        exitCode: 2,
      });
  });

  it("hands a new input and remarks over; a new input must arrive", () => {
    expect(answer({ verdict: "abstain", contexts: ["One.", " ", "Two."] })).toEqual({
      ...silence,
      stdout: '{"context":["One.","Two."]}\n',
    });
    expect(
      answer({ verdict: "abstain", input: { command: "ls", timeout: 1 } }, { command: "rm", timeout: 1 }),
    ).toEqual({
      ...silence,
      stdout: '{"updated_input":{"command":"ls","timeout":1}}\n',
      mustArrive: true,
    });
  });

  it("refuses a change that takes a field away: Crush lays the new input over the old one", () => {
    const changed = answer({ verdict: "allow", input: { command: "ls" } }, { command: "rm", timeout: 1 });
    expect(changed).toMatchObject({ exitCode: 2 });
    expect(changed.stderr).toContain("run this instead");
  });

  it("of a broken process is a denial, too", () => {
    expect(JSON.parse(crush.lastWords("Broken."))).toEqual({ decision: "deny", reason: "Broken." });
  });
});

describe("Crush's set-up", () => {
  it("is one flat entry among others, and is undone to the byte", () => {
    const { world, install, uninstall, examine } = installing(crushSetup);
    const file = "home/.config/crush/crush.json";
    const mine =
      '{\n  // mine\n  "hooks": { "PreToolUse": [{ "matcher": "^bash$", "command": "./x.sh" }] }\n}\n';
    world.write(file, mine);
    expect(install()).toMatchObject({ ok: true });
    expect(JSON.parse(world.read(file).replace("// mine", ""))).toEqual({
      hooks: {
        PreToolUse: [
          { matcher: "^bash$", command: "./x.sh" },
          { name: "toolgate", command: "HOOK crush NODE 300 KEY || exit 2", timeout: 300 },
        ],
      },
    });
    expect(examine()).toEqual([["hooks-installed", "ok"]]);
    expect(uninstall()).toMatchObject({ ok: true });
    expect(world.read(file)).toBe(mine);
  });

  it.for(["crush.json", ".crush.json"])("of a project is in the file that is there: %s", (name) => {
    const { world, install } = installing(crushSetup);
    world.write(`project/${name}`, "{}");
    expect(install({ scope: "project" })).toMatchObject({ ok: true });
    expect(world.read(`project/${name}`)).toContain(" crush");
  });
});
