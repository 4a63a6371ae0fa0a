/** Whoever changes what calls may do is in the ledger, by whichever way it was changed. */
import { mkdirSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { LedgerEntry } from "../../src/core/ports/ledger-reader.ts";
import { createGate } from "../../src/gate/create-gate.ts";
import { openStore } from "../../src/open/open-store.ts";
import { createMemoryLedger } from "../../src/stores/memory/memory-ledger.ts";
import { allRoutes } from "../../src/surfaces/serve/all-routes.ts";
import { userGrant } from "../contract/samples.ts";
import { startTestServer } from "../http-server.ts";
import { type CliWorld, createCliWorld } from "../unit/surfaces/cli/cli-world.ts";

const me = userInfo().username;
const upstream = fileURLToPath(new URL("../unit/sources/upstream/scripted-server.mjs", import.meta.url));

let world: CliWorld;
beforeEach(() => {
  world = createCliWorld();
});
afterEach(() => world.close());

const state = () => join(world.home, ".local", "state", "toolgate");

async function notes(): Promise<readonly LedgerEntry["body"][]> {
  const { out } = await world.run(["audit", "query", "--kinds", "note", "--oldest", "--ndjson"]);
  const lines = out.split("\n").filter((line) => line !== "");
  return lines.map((line) => (JSON.parse(line) as LedgerEntry).body);
}

function configure(settings: object): void {
  const folder = join(world.home, ".config", "toolgate");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "config.yaml"), JSON.stringify(settings));
}

describe("a change by a command is a note with who did it", () => {
  it("when a token is given out and revoked; what fails leaves none", async () => {
    const { out } = await world.run(["tokens", "create", "ci", "--rights", "call", "--expires", "30d"]);
    await world.run(["tokens", "create", "ci", "--rights", "admin"]).catch(() => {});
    await world.run(["tokens", "revoke", "ci", "nobody"]);
    expect(await notes()).toMatchObject([
      { code: "token_created", caller: me, surface: "cli", about: { name: "ci", rights: ["call"] } },
      { code: "token_revoked", caller: me, surface: "cli", about: { name: "ci" } },
    ]);
    expect(JSON.stringify(await notes())).not.toContain(out.trim());
  });

  it("when a file is trusted and no longer trusted", async () => {
    const file = world.file("toolgate.yaml", "policies: { p: { tools: Bash, action: approve } }\n");
    await world.run(["trust", "--yes"]);
    await world.run(["trust", "--yes"]);
    await world.run(["trust", "--revoke"]);
    await world.run(["trust", "--revoke"]);
    expect(await notes()).toMatchObject([
      { code: "file_trusted", caller: me, about: { path: file } },
      { code: "trust_revoked", caller: me, about: { path: file } },
    ]);
  });

  it("when an upstream is taken at first sight, and when what it offers is accepted later", async () => {
    const server = (flags: string[]) => ({ command: process.execPath, args: [upstream, ...flags] });
    configure({ upstreams: { first: server([]) } });
    await world.run(["upstreams", "review", "first"]);
    configure({ upstreams: { first: server([]), second: { ...server([]), review: true } } });
    await world.run(["upstreams", "review", "second"]);
    expect(await notes()).toMatchObject([
      { code: "upstream_accepted", about: { server: "first", how: "first-sight" } },
    ]);
    const accepted = await world.run(["upstreams", "accept", "second", "--yes"]);
    expect(accepted.code).toBe(0);
    await world.run(["upstreams", "accept", "second", "--yes"]);
    expect((await notes()).slice(1)).toMatchObject([
      { code: "upstream_accepted", caller: me, surface: "cli", about: { server: "second", how: "person" } },
    ]);
  });

  it("when a call sees an upstream for the first time", async () => {
    configure({ upstreams: { seen: { command: process.execPath, args: [upstream] } } });
    await world.run(["tools", "call", "seen__echo", "{}"]);
    expect(await notes()).toMatchObject([{ code: "upstream_accepted", about: { server: "seen" } }]);
  });

  it("when a start chooses other categories than the last one, once", async () => {
    const call = (...more: string[]) => world.run(["tools", "call", "fs.list", "{}", ...more]);
    await call();
    expect(await notes()).toEqual([]);
    configure({ tools: { enabled_categories: ["editing"], ceilings: { git: "write" } } });
    await call();
    await call();
    await call("--no-enable-tools");
    expect(await notes()).toMatchObject([
      { code: "categories_started", about: { editing: "write", git: "write" } },
      { code: "categories_started", about: {} },
    ]);
  });

  it("is seen by audit tail and query, verified and exported like a call", async () => {
    await world.run(["tools", "call", "fs.list", "{}"]);
    await world.run(["tokens", "create", "ci", "--rights", "call"]);
    for (const line of ["tail", "query", "query --code token_created", `query --caller ${me}`]) {
      const { out } = await world.run(["audit", ...line.split(" ")]);
      expect(out, line).toContain("token_created");
    }
    expect((await world.run(["audit", "stats"])).out).toContain("1 call:");
    expect((await world.run(["audit", "verify"])).code).toBe(0);
    expect((await world.run(["audit", "export"])).out).toContain("token_created");
  });

  it("and nothing is given where nothing can be recorded, while taking back always works", async () => {
    await world.run(["tokens", "create", "old", "--rights", "call"]);
    for (const name of ["toolgate.sqlite", "toolgate.sqlite-wal"])
      writeFileSync(join(state(), name), "not a database");
    await world.run(["tokens", "create", "new", "--rights", "admin"]).catch(() => {});
    expect((await world.run(["tokens", "list"])).out).not.toContain("new");
    const revoked = await world.run(["tokens", "revoke", "old"]).then(
      ({ err, code }) => `${code} ${err}`,
      (error: Error) => error.message,
    );
    expect(revoked).toContain("the ledger has no note about it");
    expect((await world.run(["tokens", "list"])).out).not.toContain("old");
  });
});

describe("a change over REST is a note with its caller", () => {
  it("for categories, ceilings and grants, in the same chain", async () => {
    const server = await startTestServer({ routes: allRoutes });
    try {
      const { store } = server.parts;
      const caller = "token-admin-approve-read";
      const ask = async (method: string, path: string, body?: object) => {
        const headers = { authorization: `Bearer ${caller}`, "content-type": "application/json" };
        const sent = body && { body: JSON.stringify(body) };
        const answer = await server.ask(path, { method, headers, ...sent });
        await answer.text();
        return answer.status;
      };
      await ask("POST", "/api/categories/editing/enable");
      await ask("POST", "/api/categories/editing/enable");
      await ask("PUT", "/api/categories/editing/ceiling", { ceiling: "execute" });
      await ask("POST", "/api/categories/editing/disable");
      await ask("POST", "/api/categories/nonsense/enable");
      await store.grants.add(userGrant({ id: "g1", by: "anna", inputHash: undefined }));
      expect(await ask("DELETE", "/api/grants/g1")).toBe(200);
      expect(await ask("DELETE", "/api/grants/g1")).toBe(404);
      const { entries } = await store.ledger.query({ kinds: ["note"] }, { order: "oldest" });
      expect(entries.map(({ body }) => body)).toMatchObject([
        { code: "category_changed", caller, surface: "http", about: { category: "editing", enabled: true } },
        { code: "category_changed", caller, about: { category: "editing", ceiling: "execute" } },
        { code: "category_changed", caller, about: { category: "editing", enabled: false } },
        { code: "grant_given", caller: "anna", about: { id: "g1", tool: "x.run", anyInput: true } },
        { code: "grant_revoked", caller, about: { id: "g1", caller: "agent" } },
      ]);
      const listed = await server.ask("/api/ledger?kinds=note&code=grant_revoked");
      expect(((await listed.json()) as { entries: unknown[] }).entries).toHaveLength(1);
      expect((await store.ledger.verify()).problems).toEqual([]);
    } finally {
      await server.close();
    }
  });
});

describe("a change by a program is a note", () => {
  it("in the store's ledger, also if the gate is closed right after it", async () => {
    const store = await openStore({ stateFolder: state() });
    const gate = await createGate({ store, enable: { enabledCategories: ["editing"] } });
    gate.categories.setCeiling("git", "execute");
    gate.categories.enable("shell", { caller: "anna", surface: "my-program" });
    await gate.close();
    const { entries } = await store.ledger.query({ kinds: ["note"] }, { order: "oldest" });
    await store.close();
    expect(entries.map(({ body }) => body)).toMatchObject([
      { code: "categories_started", caller: "local" },
      { code: "category_changed", caller: "local", surface: "library", about: { category: "git" } },
      { code: "category_changed", caller: "anna", surface: "my-program", about: { category: "shell" } },
    ]);
  });

  it("in the memory ledger, and told as failed where the ledger fails", async () => {
    const ledger = createMemoryLedger();
    const gate = await createGate({ ledger });
    gate.categories.enable("development");
    await gate.recorded();
    expect(ledger.notes().length).toBeGreaterThan(1);
    await gate.close();
    const note: typeof ledger.note = ({ code }) =>
      code === "category_changed" ? Promise.reject(new Error("full")) : undefined;
    const broken = await createGate({ ledger: { ...ledger, note } });
    broken.categories.enable("editing");
    await expect(broken.recorded()).rejects.toThrow("full");
    await broken.close();
  });
});
