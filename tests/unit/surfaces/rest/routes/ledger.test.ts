import { beforeAll, describe, expect, it } from "vitest";
import { verifyExport } from "../../../../../src/index.ts";
import type { LedgerPage } from "../../../../../src/surfaces/rest/contract.ts";
import { add, write } from "../../../../tools.ts";
import { useServer } from "../../http/api.ts";

describe("the ledger over HTTP", () => {
  const ids: string[] = [];
  const { server, api } = useServer({
    gate: {
      tools: [add, write],
      policies: [{ name: "free", tools: "notes.write", action: "approve" }],
    },
  });
  beforeAll(async () => {
    for (let number = 0; number < 7; number++) {
      const { body } = await api.post("/api/tools/math.add/call", {
        input: { a: number, b: 1 },
        sessionId: "sums",
      });
      ids.push(body.callId);
    }
    await api.post(
      "/api/tools/notes.write/call",
      { input: { path: "a", content: "kept" } },
      { token: "token-call" },
    );
    await api.post("/api/tools/math.add/call", { input: { a: "x" }, sessionId: "sums" });
  });

  it("is read a page at a time, and the pages together are the whole without gaps or doubles", async () => {
    const seen: number[] = [];
    let after: number | undefined;
    do {
      const { body } = await api.get<LedgerPage>(
        `/api/ledger?limit=2&kinds=completion&tool=math.*${after === undefined ? "" : `&after=${after}`}`,
      );
      expect(body.entries.length).toBeLessThanOrEqual(2);
      seen.push(...body.entries.map(({ seq }) => seq));
      after = body.next;
    } while (after !== undefined);
    expect(seen).toHaveLength(8);
    expect(seen).toEqual([...new Set(seen)].sort((a, b) => b - a));
  });

  it("is filtered by caller, code, verdict, session, text and time", async () => {
    const count = async (query: string) =>
      (await api.get<LedgerPage>(`/api/ledger?${query}`)).body.entries.length;
    expect(await count("caller=token-call")).toBe(1);
    expect(await count("code=invalid_input")).toBe(1);
    expect(await count("verdict=deny")).toBe(1);
    expect(await count("session=sums")).toBe(8);
    expect(await count("text=kept")).toBe(1);
    expect(await count(`since=${Date.now() + 60_000}`)).toBe(0);
    expect(await count(`until=${new Date(Date.now() + 60_000).toISOString()}`)).toBe(9);
    expect(await count("since=2001-01-01&order=oldest&limit=1000")).toBe(9);
  });

  it("refuses times and numbers that are none", async () => {
    expect((await api.get("/api/ledger?since=yesterday")).body.detail).toBe('since is no time: "yesterday".');
    expect((await api.get("/api/ledger?until=2026-99-99")).status).toBe(400);
    expect((await api.get("/api/ledger?limit=0")).status).toBe(400);
    expect((await api.get("/api/ledger?limit=5000")).status).toBe(400);
    expect((await api.get("/api/ledger?kinds=secret")).status).toBe(400);
  });

  it("shows everything about one call, or one entry by its number", async () => {
    const { body } = await api.get(`/api/ledger/entries/${ids[0]}`);
    expect(body.entries).toHaveLength(1);
    expect(body.entries[0].body).toMatchObject({ input: { a: 0, b: 1 }, ok: true });
    const byNumber = await api.get(`/api/ledger/entries/${body.entries[0].seq}`);
    expect(byNumber.body.entries[0].callId).toBe(ids[0]);
    expect((await api.get("/api/ledger/entries/nothing")).status).toBe(404);
  });

  it("counts, and says what runs now", async () => {
    const { body } = await api.get("/api/ledger/stats?tool=math.add");
    expect(body.calls).toBe(8);
    expect(body.byCode).toEqual([{ name: "invalid_input", count: 1 }]);
    expect((await api.get("/api/ledger/running")).body).toEqual({ entries: [] });
  });

  it("verifies itself", async () => {
    const { body } = await api.get("/api/ledger/verify");
    expect(body).toMatchObject({ ok: true, problems: [] });
    expect(body.rows).toBeGreaterThanOrEqual(10);
  });

  it("is exported as lines that verify elsewhere, and that do not once a line is changed", async () => {
    await server.parts.store.ledger.checkpoint();
    const { status, headers, body } = await api.get<string>("/api/ledger/export");
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("application/x-ndjson");
    const lines = body.split("\n").filter((line) => line !== "");
    expect(await verifyExport(lines)).toMatchObject({ ok: true, problems: [] });
    const forged = lines.map((line) => line.replace('"kept"', '"gone"'));
    expect(forged).not.toEqual(lines);
    expect((await verifyExport(forged)).ok).toBe(false);
    const rows = lines.filter((line) => line.startsWith('{"type":"row"'));
    expect((await verifyExport(lines.filter((line) => line !== rows.at(-1)))).ok).toBe(false);
  });

  it("is for tokens that may read, and for no others", async () => {
    for (const path of ["", "/stats", "/verify", "/export", "/running", "/entries/1"])
      expect((await api.get(`/api/ledger${path}`, { token: "token-call-approve" })).status, path).toBe(403);
  });
});
