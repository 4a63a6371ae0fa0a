/** Upstream servers over REST: how they stand, what waits, accepting exactly that, a new start. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { UpstreamList, UpstreamReview } from "../../../../../src/surfaces/rest/contract.ts";
import { upstreamRoutes } from "../../../../../src/surfaces/rest/routes/upstreams.ts";
import { startTestServer, type TestServer } from "../../../../http-server.ts";
import { echo, type Opened, UpstreamWorld } from "../../../sources/upstream/upstream-world.ts";

let world: UpstreamWorld;
let opened: Opened;
let server: TestServer;

beforeAll(async () => {
  world = new UpstreamWorld();
  world.script("notes", [echo]);
  opened = await world.open([world.entry("notes", { review: true })]);
  server = await startTestServer({ routes: upstreamRoutes, upstreams: opened.open });
});
afterAll(async () => {
  await server.close();
  await world.close();
});

const post = (path: string, body?: object, token = "token-all") =>
  server.ask(path, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });

describe("upstream servers over REST", () => {
  it("are listed, reviewed and accepted", async () => {
    const before = (await (await server.ask("/api/upstreams")).json()) as UpstreamList;
    expect(before.upstreams).toMatchObject([
      {
        server: "notes",
        transport: "stdio",
        state: "ready",
        tools: 0,
        pending: [{ tool: "echo", why: "new" }],
      },
    ]);
    const { items } = (await (await server.ask("/api/upstreams/notes/review")).json()) as UpstreamReview;
    const wanted = items.map(({ tool, digest }) => ({ tool, digest }));
    const stale = await post("/api/upstreams/notes/accept", { items: [{ tool: "echo", digest: "other" }] });
    expect(await stale.json()).toEqual({ accepted: [], changedAgain: ["echo"] });
    const accepted = await post("/api/upstreams/notes/accept", { items: wanted });
    expect(await accepted.json()).toEqual({ accepted: ["echo"], changedAgain: [] });
    expect(opened.names()).toEqual(["notes__echo"]);
  });

  it("are started anew", async () => {
    const before = opened.open.upstreams.status()[0]?.pid;
    const answer = await post("/api/upstreams/notes/restart");
    expect(await answer.json()).toMatchObject({ state: "ready" });
    expect(opened.open.upstreams.status()[0]?.pid).not.toBe(before);
  });

  it("are nobody's business but an administrator's", async () => {
    for (const path of ["/api/upstreams/notes/accept", "/api/upstreams/notes/restart"])
      expect((await post(path, { items: [] }, "token-call-read-approve")).status).toBe(403);
    const headers = { authorization: "Bearer token-read" };
    expect((await server.ask("/api/upstreams/notes/review", { headers })).status).toBe(403);
    expect((await server.ask("/api/upstreams", { headers })).status).toBe(200);
  });

  it("that are not there are 404", async () => {
    expect((await post("/api/upstreams/other/restart")).status).toBe(404);
    expect((await server.ask("/api/upstreams/other/review")).status).toBe(404);
  });
});
