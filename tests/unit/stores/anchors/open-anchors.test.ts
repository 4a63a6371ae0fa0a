import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, describe, expect, it } from "vitest";
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

const linesOf = (file: string) => readFileSync(file, "utf8").trimEnd().split("\n");
const signed = () => linesOf(join(base, "state", "checkpoints.jsonl"));

/** A service that keeps what it gets; it answers with what `answer` says, or never. */
async function listen(answer: () => number | undefined) {
  const lines: string[] = [];
  let givenUp = 0;
  const server: Server = createServer(async (request, response) => {
    response.on("close", () => givenUp++);
    const sent = await text(request);
    const status = answer();
    if (status === undefined) return;
    if (status === 204) lines.push(...sent.trimEnd().split("\n"));
    response.writeHead(status, { connection: "close" }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/secret-path?key=1`;
  return { url, lines, givenUp: () => givenUp };
}

describe("anchors of a store", () => {
  it("bring every checkpoint to a service, each once, also over several starts", async () => {
    const service = await listen(() => 204);
    for (const id of ["a", "b", "c"]) {
      const store = await open({ url: service.url, allowPrivate: true });
      await store.ledger.close(record(id));
      await store.ledger.checkpoint();
      await expect.poll(() => service.lines).toEqual(signed());
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
    await expect.poll(() => store.failingAnchors()).toHaveLength(1);
    expect(told).toEqual([expect.stringContaining("status 500")]);
    expect(told.join()).not.toContain("secret-path");
    const [examined] = await examineAnchors([{ url: service.url, allowPrivate: true }], join(base, "state"));
    expect(examined?.failing?.why).toContain("status 500");
    status = 204;
    await store.ledger.close(record("c"));
    await store.ledger.checkpoint();
    await expect.poll(() => store.failingAnchors()).toEqual([]);
    expect(told.at(-1)).toContain("takes checkpoints again");
    await store.close();
    expect(service.lines.at(-1)).toBe(signed().at(-1));
  });

  it("hold up neither calls nor other anchors when a service never answers", async () => {
    const service = await listen(() => undefined);
    const file = join(base, "beside.jsonl");
    const store = await open({ url: service.url, allowPrivate: true }, { file });
    await store.ledger.close(record("a"));
    await store.ledger.checkpoint();
    expect((await store.ledger.query()).entries).toHaveLength(1);
    await expect.poll(() => linesOf(file)).toEqual(signed());
    // All that while nobody has stopped waiting for the service.
    expect(service.givenUp()).toBe(0);
    const ending = performance.now();
    await store.close();
    // It waits for two seconds; the service would have had ten.
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
    const examine = async () => (await examineAnchors([{ syslog: true }], join(base, "state")))[0];
    await expect.poll(async () => (await examine())?.taken ?? (await examine())?.failing).toBeDefined();
    const examined = await examine();
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
    await expect.poll(() => linesOf(file)).toEqual(signed());
    await other.close();
    await anchored.close();
    rmSync(file);
  });
});
