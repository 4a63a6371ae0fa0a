import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { Approval, CallOutcome } from "../../../../../src/surfaces/rest/contract.ts";
import { write } from "../../../../tools.ts";
import { useServer } from "../../http/api.ts";

const agent = { token: "token-call" };
const person = { token: "token-approve" };

describe("approvals over HTTP", () => {
  const { server, api } = useServer({ gate: { tools: [write] } });

  /** The call waits until somebody answers. */
  async function ask(input: object, sessionId: string) {
    const outcome = api.post<CallOutcome>("/api/tools/notes.write/call", { input, sessionId }, agent);
    return { approval: await waiting(sessionId), outcome };
  }
  async function waiting(sessionId: string): Promise<Approval> {
    for (;;) {
      const { body } = await api.get<{ approvals: Approval[] }>("/api/approvals", person);
      const approval = body.approvals.find((one) => one.sessionId === sessionId);
      if (approval !== undefined) return approval;
      await sleep(10);
    }
  }
  const answer = (id: string, body: object, who = person) =>
    api.post(`/api/approvals/${id}/answer`, body, who);

  it("show what would run, why it asks and who asked, without secrets", async () => {
    const secret = `ghp_${"a1B2".repeat(9)}`;
    const { approval, outcome } = await ask({ path: "a.txt", content: secret }, "shown");
    const asked = { tool: "notes.write", caller: "token-call", state: "pending", redactions: 1 };
    expect(approval).toMatchObject(asked);
    expect(approval.input.path).toBe("a.txt");
    expect(JSON.stringify(approval)).not.toContain(secret);
    expect((await api.get(`/api/approvals/${approval.id}`, person)).body.id).toBe(approval.id);
    await answer(approval.id, { decision: "deny" });
    await outcome;
  });

  it("are approved once by the token's caller, and the call goes on", async () => {
    const { approval, outcome } = await ask({ path: "b.txt", content: "12345" }, "once");
    const said = { decision: "approve", by: "token-approve" };
    expect((await answer(approval.id, { decision: "approve" })).body).toEqual({ id: approval.id, ...said });
    const { body } = await outcome;
    expect(body).toMatchObject({ ok: true, approval: { kind: "approval", by: "token-approve" } });
    const after = await api.get<Approval>(`/api/approvals/${approval.id}`, person);
    expect(after.body.answer).toMatchObject({ decision: "approve", by: "token-approve" });
    const again = await answer(approval.id, { decision: "deny" });
    expect(again.status).toBe(409);
    expect(again.body.code).toBe("conflict");
  });

  it("are approved with another input, and that one runs", async () => {
    const { approval, outcome } = await ask({ path: "c.txt", content: "12345" }, "edited");
    await answer(approval.id, { decision: "approve", input: { path: "c.txt", content: "1" } });
    expect((await outcome).body.result.content).toEqual([{ type: "text", text: "wrote 1 to c.txt" }]);
  });

  it("are denied with a reason that the caller reads", async () => {
    const { approval, outcome } = await ask({ path: "d.txt" }, "denied");
    await answer(approval.id, { decision: "deny", reason: "Not before the release." });
    const { status, body } = await outcome;
    expect(status).toBe(200);
    expect(body.error).toMatchObject({ code: "approval_denied" });
    expect(body.error?.message).toContain("Not before the release.");
  });

  it("leave a grant that is listed, holds for the session, and can be revoked", async () => {
    const { approval, outcome } = await ask({ path: "e.txt" }, "granted");
    await answer(approval.id, { decision: "approve", scope: "session", covers: "tool", expiresInMs: 60_000 });
    await outcome;
    const call = { input: { path: "f.txt" }, sessionId: "granted" };
    const again = await api.post<CallOutcome>("/api/tools/notes.write/call", call, agent);
    expect(again.body.approval).toMatchObject({ kind: "grant", by: "token-approve" });
    const [grant] = (await api.get("/api/grants", { token: "token-read" })).body.grants;
    const granted = { scope: "session", sessionId: "granted", tool: "notes.write", caller: "token-call" };
    expect(grant).toMatchObject(granted);
    expect((await api.delete(`/api/grants/${grant.id}`, { token: "token-read" })).status).toBe(403);
    const revoked = await api.delete(`/api/grants/${grant.id}`, person);
    expect(revoked.body).toEqual({ id: grant.id, revoked: true });
    expect((await api.delete(`/api/grants/${grant.id}`, person)).status).toBe(404);
    const { approval: next, outcome: asked } = await ask({ path: "f.txt" }, "granted");
    await answer(next.id, { decision: "deny" });
    expect((await asked).body.ok).toBe(false);
  });

  it("cannot be answered with the right to call, to read or to administer", async () => {
    for (const token of ["token-call", "token-read", "token-admin"])
      expect((await answer("x", { decision: "approve" }, { token })).status).toBe(403);
  });

  it("that nobody asked for answer 404; nonsense answers 422", async () => {
    expect((await answer("nothing", { decision: "approve" })).status).toBe(404);
    expect((await api.get("/api/approvals/nothing")).status).toBe(404);
    expect((await answer("nothing", { decision: "maybe" })).status).toBe(422);
    expect((await answer("nothing", { decision: "approve", by: "somebody" })).status).toBe(422);
  });

  it("are withdrawn when the one who asked goes away", async () => {
    const leaving = new AbortController();
    const gone = server
      .ask("/api/tools/notes.write/call", {
        method: "POST",
        headers: { authorization: "Bearer token-call", "content-type": "application/json" },
        body: JSON.stringify({ input: { path: "h.txt" }, sessionId: "left" }),
        signal: leaving.signal,
      })
      .catch(() => "gone");
    const { id } = await waiting("left");
    leaving.abort();
    expect(await gone).toBe("gone");
    while ((await api.get<Approval>(`/api/approvals/${id}`)).body.state !== "withdrawn") await sleep(10);
    expect((await answer(id, { decision: "approve" })).status).toBe(409);
  });
});
