import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { LedgerAnchor } from "../../../../src/core/ports/ledger-reader.ts";
import { examineAnchors } from "../../../../src/open/open-anchors.ts";
import { openStore, type Store } from "../../../../src/open/open-store.ts";
import { record } from "../../../contract/ledger.ts";

const base = mkdtempSync(join(tmpdir(), "toolgate-open-anchors-"));
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});
afterEach(() => rmSync(join(base, "state"), { recursive: true, force: true }));

const told: string[] = [];
function open(...anchors: LedgerAnchor[]): Promise<Store> {
  told.length = 0;
  return openStore({ stateFolder: join(base, "state"), anchors, onAnchor: (message) => told.push(message) });
}

const signed = () =>
  readFileSync(join(base, "state", "checkpoints.jsonl"), "utf8")
    .trimEnd()
    .split("\n");

/** A service that keeps what it gets; it answers with what `answer` says, or never. */
async function listen(answer: () => number | undefined): Promise<{ url: string; lines: string[] }> {
  const lines: string[] = [];
  const server: Server = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk) => {
      text += chunk;
    });
    request.on("end", () => {
      const status = answer();
      if (status === undefined) return;
      if (status === 204) lines.push(...text.trimEnd().split("\n"));
      response.writeHead(status, { connection: "close" }).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/secret-path?key=1`, lines };
}

describe("anchors of a store", () => {
  it("bring every checkpoint to a service, each once, also over several starts", async () => {
    const service = await listen(() => 204);
    for (const id of ["a", "b", "c"]) {
      const store = await open({ url: service.url, allowPrivate: true });
      await store.ledger.close(record(id));
      await store.ledger.checkpoint();
      await vi.waitFor(() => expect(service.lines).toEqual(signed()), { timeout: 30_000 });
      await store.close();
    }
    expect(service.lines).toEqual(signed());
    expect(told).toEqual([]);
  });

  it("tell once that a service refuses, without its secrets, go on with calls, and catch up when it is back", async () => {
    let status = 500;
    const service = await listen(() => status);
    const store = await open({ url: service.url, allowPrivate: true });
    for (const id of ["a", "b"]) {
      await store.ledger.close(record(id));
      await store.ledger.checkpoint();
    }
    await vi.waitFor(() => expect(store.failingAnchors()).toHaveLength(1), { timeout: 30_000 });
    expect(told).toEqual([expect.stringContaining("status 500")]);
    expect(told.join()).not.toContain("secret-path");
    const [examined] = await examineAnchors([{ url: service.url, allowPrivate: true }], join(base, "state"));
    expect(examined?.failing?.why).toContain("status 500");
    status = 204;
    await store.ledger.close(record("c"));
    await store.ledger.checkpoint();
    await vi.waitFor(() => expect(store.failingAnchors()).toEqual([]), { timeout: 30_000 });
    expect(told.at(-1)).toContain("takes checkpoints again");
    await store.close();
    expect(service.lines.at(-1)).toBe(signed().at(-1));
  });

  it("hold up neither calls nor other anchors when a service never answers", async () => {
    const service = await listen(() => undefined);
    const file = join(base, "beside.jsonl");
    const store = await open({ url: service.url, allowPrivate: true }, { file });
    const before = performance.now();
    await store.ledger.close(record("a"));
    await store.ledger.checkpoint();
    expect((await store.ledger.query()).entries).toHaveLength(1);
    expect(performance.now() - before).toBeLessThan(2_000);
    await vi.waitFor(() => expect(readFileSync(file, "utf8").trimEnd().split("\n")).toEqual(signed()), {
      timeout: 30_000,
    });
    const ending = performance.now();
    await store.close();
    expect(performance.now() - ending).toBeLessThan(5_000);
    rmSync(file);
  });

  it("do not reach an address of this machine unless the configuration allows it", async () => {
    const service = await listen(() => 204);
    const store = await open({ url: service.url });
    await store.ledger.close(record("a"));
    await store.close();
    expect(service.lines).toEqual([]);
    expect(told).toHaveLength(1);
  });

  it("write to the log of the system, or tell that there is none", async () => {
    const store = await open({ syslog: true });
    await store.ledger.close(record("a"));
    await store.ledger.checkpoint();
    const [examined] = await vi.waitFor(
      async () => {
        const found = await examineAnchors([{ syslog: true }], join(base, "state"));
        expect(found[0]?.taken ?? found[0]?.failing).toBeDefined();
        return found;
      },
      { timeout: 30_000 },
    );
    if (existsSync("/dev/log")) expect(examined?.failing).toBeUndefined();
    else expect(told).toEqual([expect.stringContaining("The anchor syslog does not take")]);
    await store.close();
  });

  it("hear of what another process has signed", async () => {
    const file = join(base, "both.jsonl");
    const anchored = await open({ file });
    const other = await openStore({ stateFolder: join(base, "state") });
    await other.ledger.close(record("a"));
    await other.ledger.checkpoint();
    await vi.waitFor(() => expect(readFileSync(file, "utf8").trimEnd().split("\n")).toEqual(signed()), {
      timeout: 30_000,
    });
    await other.close();
    await anchored.close();
    rmSync(file);
  });
});
