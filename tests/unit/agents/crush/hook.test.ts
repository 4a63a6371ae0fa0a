/** Crush's form, as its documentation has it. */
import { describe, expect, it } from "vitest";
import { crushHook } from "../../../../src/agents/crush/hook.ts";
import { crushSetup } from "../../../../src/agents/crush/setup.ts";
import { installedInto, installing } from "../installing.ts";
import { denies, rewrites, says, silence, talkingTo } from "../talking.ts";

const sent = {
  event: "PreToolUse",
  session_id: "313909e",
  cwd: "/work/project",
  tool_name: "bash",
  tool_input: { command: "npm test", timeout: 60_000 },
};
const { read, taken, refusal, answer } = talkingTo(crushHook);

describe("a call of Crush", () => {
  it("is read as it is sent", () => {
    expect(taken(sent)).toEqual({
      event: "PreToolUse",
      tool: "bash",
      input: sent.tool_input,
      mode: "act",
      sessionId: "313909e",
      cwd: "/work/project",
    });
  });

  it("of an MCP server gets the name that rules know, by the servers in Crush's files", () => {
    const { world, request } = installing(crushSetup);
    world.write("home/.config/crush/crush.json", '{ "mcp": { "my_server": {} } }\n');
    world.write("project/.crush.json", { mcp: { other: {}, my_server_two: {} } });
    const named = (tool_name: string) => taken({ ...sent, tool_name }, request);
    expect(named("mcp_my_server_look_at")).toMatchObject({
      tool: "mcp__my_server__look_at",
      agentTool: "mcp_my_server_look_at",
    });
    expect(named("mcp_other_look").tool).toBe("mcp__other__look");
    expect(named("mcp_unknown_look").tool).toBe("mcp__unknown__look");
    expect(() => named("mcp_my_server_two_look")).toThrow("two MCP servers");
    expect(() => named("mcp_un_known_look")).toThrow();
  });

  it.for<readonly [string, object]>([
    ["bash", { Command: "danger" }],
    ["bash", { command: "ls", COMMAND: "danger" }],
    // Two letters that fold into s and k.
    ["x", { ta\u017fk: 1 }],
    ["x", { tas\u212a: 1 }],
    ["multiedit", { file_path: "/a", edits: [{ new_String: "x" }] }],
  ])("%s %j is refused: Crush takes fields in any letters, and no rule would", ([tool_name, tool_input]) => {
    expect(refusal({ ...sent, tool_name, tool_input })).toContain("small letters");
  });

  it("of a server may have fields in any letters", () => {
    const call = { ...sent, tool_name: "mcp_store_look", tool_input: { Path: "/a" } };
    expect(taken(call).input).toEqual({ Path: "/a" });
  });

  it("that cannot be read is refused", () => {
    for (const more of [{ tool_input: "x" }, { tool_name: "" }, { event: "PreCompact" }])
      expect(read({ ...sent, ...more })).toMatchObject({ ok: false });
    expect(read("{")).toMatchObject({ ok: false });
  });
});

describe("the answer to Crush", () => {
  it("is silence when no rule speaks, and allows only where a rule does: it skips the prompt", () => {
    expect(answer({ reason: "Nothing matched." })).toEqual(silence);
    expect(answer({ verdict: "allow" })).toEqual(says({ decision: "allow" }));
  });

  it("denies by exit code and text, and says it in its form, too", () => {
    const reason = "No.\n\nA remark.";
    expect(answer({ verdict: "deny", reason: "No.", contexts: ["A remark."] })).toEqual(
      denies(reason, { decision: "deny", reason }),
    );
  });

  it("hands a new input and remarks over; a new input must arrive", () => {
    expect(answer({ contexts: ["One.", " ", "Two."] })).toEqual(says({ context: ["One.", "Two."] }));
    const input = { command: "ls", timeout: 1 };
    expect(answer({ input }, { command: "rm", timeout: 1 })).toEqual(rewrites({ updated_input: input }));
  });

  it("refuses a change that takes a field away: Crush lays the new input over the old one", () => {
    const changed = answer({ verdict: "allow", input: { command: "ls" } }, { command: "rm", timeout: 1 });
    expect(changed).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("run this instead") });
  });
});

describe("Crush's set-up", () => {
  it("is one flat entry among others, and is undone to the byte", () => {
    const mine =
      '{\n  // mine\n  "hooks": { "PreToolUse": [{ "matcher": "^bash$", "command": "./x.sh" }] }\n}\n';
    const text = installedInto(crushSetup, "home/.config/crush/crush.json", mine);
    const ours = { name: "toolgate", command: "HOOK crush NODE 300 KEY || exit 2", timeout: 300 };
    expect(JSON.parse(text.replace("// mine", ""))).toEqual({
      hooks: { PreToolUse: [{ matcher: "^bash$", command: "./x.sh" }, ours] },
    });
  });

  it.for(["crush.json", ".crush.json"])("of a project is in the file that is there: %s", (name) => {
    const { world, install } = installing(crushSetup);
    world.write(`project/${name}`, "{}");
    expect(install({ scope: "project" })).toMatchObject({ ok: true });
    expect(world.read(`project/${name}`)).toContain(" crush");
  });
});
