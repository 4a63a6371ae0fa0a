import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ApprovalRequest } from "../../../../src/core/call/approval.ts";
import { type OpenedStore, openStore } from "../../../../src/open/open-store.ts";
import { approvalRequest, binding } from "../../stores/sqlite/approval-request.ts";
import { type CliWorld, createCliWorld } from "./cli-world.ts";
import { fails, refuses, says } from "./expect-end.ts";

let world: CliWorld;
let store: OpenedStore;
beforeAll(async () => {
  world = createCliWorld();
  store = await openStore({ stateFolder: join(world.home, ".local", "state", "toolgate") });
});
afterAll(async () => {
  await store.close();
  world.close();
});
// A new store for each test would take most of the time.
beforeEach(() => {
  const database = new DatabaseSync(store.file, { timeout: 5_000 });
  database.exec("DELETE FROM approvals; DELETE FROM grants");
  database.close();
});

const ask = (id: string, parts: Partial<ApprovalRequest> = {}) =>
  store.approvals.open(approvalRequest(id, { title: "Run it", ...parts }));
const approvals = (...argv: readonly string[]) => world.run(["approvals", ...argv]);

describe("toolgate approvals", () => {
  it("lists what waits, without secrets and hidden characters, as a table or as lines of JSON", async () => {
    await ask("aaaa1111bbbb", { input: { command: "ls\u202e", password: "hunter22" } });
    await ask("cccc2222dddd", { toolId: "y.run", caller: "claude", input: { n: 1 } });
    const { out } = await says(approvals("list"));
    expect(out.split("\n").map((line) => line.replaceAll(/\s+/g, " "))).toEqual([
      "ID TOOL ASKED BY AGE LEFT INPUT",
      expect.stringMatching(
        /^aaaa1111 x\.run agent \S+ \S+ \{"command":"ls\\u\{202E\}","password":"\[redacted:\S+\]"\}$/,
      ),
      expect.stringMatching(/^cccc2222 y\.run claude \S+ \S+ \{"n":1\}$/),
      "",
    ]);
    const lines = (await approvals("--ndjson")).out.trim().split("\n");
    expect(lines.map((line) => JSON.parse(line).id)).toEqual(["aaaa1111bbbb", "cccc2222dddd"]);
  });

  it("names a tool once that has no title of its own", async () => {
    await ask("aaaa1111", { toolId: "Bash", title: "Bash" });
    expect((await approvals("show", "aa")).out).toMatch(/^Bash\n\{/);
  });

  it("shows one with everything that was asked, and later how it ended", async () => {
    const agent = { name: "someone", version: "1.2\u202e", tool: "their_run", subAgent: { id: "a1" } };
    const input = { text: "x".repeat(500) };
    await ask("aaaa1111", { reason: "It writes.", sessionId: "s1", input, agent });
    const { out } = await approvals("show", "aa");
    for (const part of [
      "x.run: Run it",
      "x".repeat(500),
      "asked by:   agent, session s1",
      "agent:      someone 1.2\\u{202E}, which calls the tool their_run, sub-agent a1",
      "It writes.",
      "waits",
    ])
      expect(out).toContain(part);
    await store.approvals.answer("aaaa1111", { decision: "deny", by: "ann", reason: "no" });
    expect((await approvals("show", "aa")).out).toContain("state:      denied (deny by ann): no");
  });

  it("denies with a reason, and says so once", async () => {
    await ask("aaaa1111");
    const waiting = store.approvals.wait("aaaa1111");
    expect(await approvals("deny", "aaaa", "--reason", "too late")).toMatchObject({
      code: 0,
      out: "Denied: x.run for agent (aaaa1111).\n",
    });
    expect(await waiting).toMatchObject({ state: "denied", answer: { reason: "too late" } });
    const second = await fails(approvals("deny", "aaaa", "--json"));
    expect(JSON.parse(second.out)).toMatchObject({
      ok: false,
      code: "already_answered",
      winner: { decision: "deny" },
    });
  });

  it("does not approve for the process that asks, nor for what it started", async () => {
    await ask("aaaa1111");
    await refuses(approvals("approve", "aaaa"), "cannot approve its own calls");
    expect((await approvals("approve", "aaaa", "--scope", "session")).err).toContain("belongs to no session");
    expect(await store.approvals.pending()).toHaveLength(1);
  });

  it("asks for more of an id that fits several, and prefers what waits to what is over", async () => {
    await ask("aaaa1111");
    await ask("aaaa2222", { sessionId: "other" });
    const both = await fails(approvals("deny", "aaaa"));
    expect(both.err).toBe(
      'Several approvals begin with "aaaa": aaaa1111 (x.run), aaaa2222 (x.run). Type more of the id.\n',
    );
    await store.approvals.withdraw("aaaa1111");
    expect((await approvals("deny", "aaaa")).out).toContain("aaaa2222");
  });

  it("says what became of one that nobody waits for any more", async () => {
    await ask("aaaa1111");
    await store.approvals.withdraw("aaaa1111");
    await ask("bbbb1111", { expiresAt: Date.now() - 1 });
    expect((await approvals("deny", "aaaa")).err).toContain("was withdrawn");
    expect((await approvals("deny", "bbbb")).err).toContain("has expired");
    expect((await approvals("deny", "c%")).err).toContain('No approval begins with "c%"');
    expect((await approvals("deny", "")).code).toBe(1);
  });

  it.each([
    [["--expires", "1h"], "add --scope"],
    [["--any-input"], "add --scope"],
    [["--scope", "user", "--expires", "soon"], "--expires takes a duration"],
    [["--scope", "user", "--expires", "0s"], "--expires takes a duration"],
    [["--edit", "{"], "--edit takes the whole input as JSON"],
    [["--edit", "@nowhere.json"], "--edit takes the whole input as JSON"],
    [["--scope", "forever"], "Allowed choices are once, session, project, user"],
  ])("refuses %j", async (options, told) => {
    await refuses(approvals("approve", "aaaa", ...options), told);
  });

  it("watches what is asked and answered, until it is stopped", async () => {
    const stopping = new AbortController();
    let said = "";
    const watching = world.run("approvals watch --ndjson", {
      signal: stopping.signal,
      onOut: (text) => {
        said += text;
      },
    });
    await ask("aaaa1111");
    await expect.poll(() => said).toContain('"state":"pending"');
    await store.approvals.answer("aaaa1111", { decision: "approve", by: "ann" });
    await store.approvals.claim("aaaa1111", binding);
    await store.approvals.done("aaaa1111");
    await expect.poll(() => said).toContain('"by":"ann"');
    stopping.abort();
    expect((await watching).code).toBe(0);
    expect(said.trim().split("\n")).toHaveLength(2);
  });
});

describe("toolgate grants", () => {
  const grant = (id: string, toolId: string) =>
    store.grants.add({
      id,
      scope: "project",
      caller: "agent",
      sessionId: undefined,
      project: "/workspace",
      toolId,
      definitionHash: "def",
      inputHash: "in",
      meaningHash: "here",
      by: "ann",
      createdAt: Date.now(),
      expiresAt: Date.now() + 3_600_000,
    });

  it("lists them and takes them back, one or all", async () => {
    expect((await world.run("grants list")).out).toBe("There are no lasting approvals.\n");
    await grant("aaaa1111", "x.run");
    await grant("bbbb1111", "y.run");
    await grant("bbbb2222", "z.run");
    const { out } = await world.run("grants list");
    expect(out.split("\n")[1]?.replaceAll(/\s+/g, " ")).toMatch(
      /^aaaa1111 x\.run agent project \/workspace one ann in (5\dm( \d+s)?|1h)$/,
    );
    expect((await world.run("grants revoke aaaa")).out).toBe("Revoked: x.run for agent (aaaa1111).\n");
    expect((await world.run("grants revoke bbbb")).err).toContain("Several begin with");
    expect((await world.run("grants revoke aaaa")).err).toContain("No lasting approval begins with");
    expect((await world.run("grants revoke")).code).toBe(1);
    expect((await world.run("grants revoke bbbb1 --all")).code).toBe(1);
    expect((await world.json("grants revoke --all")).revoked).toHaveLength(2);
    expect(await store.grants.list()).toEqual([]);
  });
});
