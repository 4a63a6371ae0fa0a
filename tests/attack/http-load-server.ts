/** A server in a process of its own, so that its memory is its own: a tool that answers at once, and one that holds its call until it is told. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Type } from "typebox";
import { defineTool } from "../../src/core/tool/tool.ts";
import { json } from "../../src/surfaces/http/answer.ts";
import { defineRoute } from "../../src/surfaces/http/route.ts";
import { allRoutes } from "../../src/surfaces/serve/all-routes.ts";
import { startTestServer } from "../http-server.ts";

const { promise: released, resolve: release } = Promise.withResolvers<void>();
let held = 0;
const input = {
  type: "object",
  properties: { n: { type: "number" } },
  required: ["n"],
  additionalProperties: false,
} as const;
const hold = defineTool({
  id: "test.hold",
  description: "Waits.",
  permission: "read",
  timeoutMs: 600_000,
  input,
  async run({ n }) {
    held++;
    await released;
    return n;
  },
});
const echo = defineTool({
  id: "test.echo",
  description: "Answers.",
  permission: "read",
  input,
  run: ({ n }) => n,
});
const answers = { 200: Type.Object({}) };
const look = defineRoute({
  method: "GET",
  path: "/test/state",
  right: "public",
  summary: "How many wait, and how much memory they take.",
  answers,
  handle: (_request, { server }) =>
    json({ held, rssBytes: process.memoryUsage.rss(), connections: server.openConnections }),
});
const letGo = defineRoute({
  method: "POST",
  path: "/test/release",
  right: "public",
  summary: "Lets all of them go.",
  answers,
  handle: () => {
    release();
    return json({ held });
  },
});

const folder = mkdtempSync(join(tmpdir(), "toolgate-load-"));
process.env.HOME = folder;
const server = await startTestServer({
  routes: [...allRoutes, look, letGo],
  gate: { tools: [hold, echo] },
  limits: { maxConnections: 20_000, maxInFlight: 20_000, maxPerMinute: 10_000_000 },
});
process.stdout.write(`${JSON.stringify({ url: server.url })}\n`);
process.on("disconnect", async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
  process.exit();
});
