import { mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { JsonObject } from "../../../../src/core/input/json.ts";
import { defineTool } from "../../../../src/core/tool/tool.ts";
import { createGate } from "../../../../src/gate/create-gate.ts";
import { Peer } from "../../../../src/mcp/peer.ts";
import { createSessions } from "../../../../src/sessions/create-sessions.ts";
import { RunnerError } from "../../../../src/sessions/runner.ts";
import { connectEditor } from "../../../../src/surfaces/acp/create-acp-server.ts";
import { type Script, scriptedRunner } from "../../sessions/scripted-runner.ts";

const wipe = defineTool({
  id: "disk.wipe",
  description: "Wipes.",
  permission: "execute",
  input: { type: "object", properties: { disk: { type: "string" } }, required: ["disk"] },
  run: ({ disk }) => `wiped ${disk}`,
});

/** An editor in the same process, whose person answers with this option. */
async function editor(script: Script, optionId = "reject") {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "acp-server-")));
  const gate = await createGate({ tools: [wipe], approver: "desk", roots: [folder] });
  const sessions = await createSessions(gate, { runners: [scriptedRunner(script)], roots: [folder] });
  const updates: JsonObject[] = [];
  const asked: JsonObject[] = [];
  const connection = connectEditor(
    {
      open: async () => ({ sessions, gate }),
      person: { id: "ann", capabilities: ["*"] },
      version: "1.2.3",
      tell: () => {},
    },
    (json) => peer.receiveText(json),
  );
  const peer = new Peer({
    send: (json) => connection.receiveText(json),
    onRequest: ({ params }) => {
      asked.push(params);
      return { outcome: { outcome: "selected", optionId } };
    },
    onNotification: (_, { update }) => void updates.push(update as JsonObject),
  });
  onTestFinished(async () => {
    connection.close();
    await sessions.close();
    await gate.close();
  });
  const { sessionId } = await peer.request("session/new", { cwd: folder, mcpServers: [] });
  const prompt = (text: string) =>
    peer.request("session/prompt", { sessionId: sessionId ?? "", prompt: [{ type: "text", text }] });
  return { peer, prompt, updates, asked, sessions, sessionId: String(sessionId), folder };
}

const call = { tool: "disk_wipe", input: { disk: "sda" }, toolUseId: "t1" };
const texts = (updates: readonly JsonObject[]) =>
  updates.map(({ content }) => (content as JsonObject | undefined)?.text).join("");

describe("an editor's agent", () => {
  it("sends what the agent says as it comes, each part once", async () => {
    const { prompt, updates } = await editor(async ({ log }) => {
      const item = log.newItem();
      log.delta(item, "Good ");
      log.delta(item, "mor");
      await log.message(item, "Good morning.");
      await log.note("Something was left out.");
      return undefined;
    });
    expect(await prompt("Hello")).toEqual({ stopReason: "end_turn" });
    const said = updates.filter(({ sessionUpdate }) => sessionUpdate === "agent_message_chunk");
    expect(texts(said)).toBe("Good morning.");
    expect(texts(updates)).toContain("Something was left out.");
  });

  it("shows a tool and its end before what the agent says about it", async () => {
    const { prompt, updates } = await editor(async ({ log, signal }, { calls }) => {
      await calls.run({ ...call, signal });
      const item = log.newItem();
      log.delta(item, "It is ");
      await new Promise((resolve) => setTimeout(resolve, 150));
      await log.message(item, "It is empty.");
      return undefined;
    }, "allow-once");
    await prompt("Wipe it");
    expect(updates.map(({ sessionUpdate }) => sessionUpdate)).toEqual([
      ...["tool_call", "tool_call_update"],
      ...["agent_message_chunk", "agent_message_chunk"],
    ]);
  });

  it.each([
    ["allow-once", "completed", 2],
    ["allow-session", "completed", 1],
    ["reject", "failed", 1],
    ["something-else", "failed", 1],
  ])("puts the gate's question to the person: %s", async (optionId, status, questions) => {
    const { prompt, updates, asked } = await editor(async ({ signal }, { calls }) => {
      await calls.run({ ...call, signal });
      if (optionId.startsWith("allow")) await calls.run({ ...call, toolUseId: "t2", signal });
      return "Done.";
    }, optionId);
    await prompt("Wipe it");
    expect(asked).toHaveLength(questions);
    expect(asked[0]).toMatchObject({ toolCall: { toolCallId: "t1", rawInput: { disk: "sda" } } });
    expect(updates.find(({ sessionUpdate }) => sessionUpdate === "tool_call_update")).toMatchObject({
      status,
    });
  });

  it("tells failures as errors, and a spent budget as the stop that it is", async () => {
    const code = { next: "model_failed" as "model_failed" | "budget_spent" };
    const { prompt } = await editor(async () => {
      throw new RunnerError(code.next, "It went wrong.");
    });
    await expect(prompt("One")).rejects.toThrow("It went wrong.");
    code.next = "budget_spent";
    expect(await prompt("Two")).toEqual({ stopReason: "max_turn_requests" });
  });

  it("loads only sessions of its person", async () => {
    const { peer, sessions, sessionId, folder, prompt } = await editor(async () => "Done.");
    await prompt("Mine");
    expect(await peer.request("session/load", { sessionId, cwd: folder, mcpServers: [] })).toHaveProperty(
      "modes",
    );
    const other = await sessions.start({ prompt: "Not mine" }, { id: "bob", capabilities: ["*"] });
    const theirs = other.ok ? other.session.id : "";
    await expect(
      peer.request("session/load", { sessionId: theirs, cwd: folder, mcpServers: [] }),
    ).rejects.toThrow(/There is no session .* of ann/);
  });

  it("starts no session under a name that is taken or odd", async () => {
    const { sessions, sessionId, prompt } = await editor(async () => "Done.");
    await prompt("First");
    for (const id of [sessionId, "x", "../s-12345678"])
      expect(await sessions.start({ prompt: "x", id }, { id: "ann", capabilities: ["*"] })).toMatchObject({
        ok: false,
        code: "bad_request",
      });
  });
});
