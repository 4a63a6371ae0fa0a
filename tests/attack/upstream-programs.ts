/** Servers behind the gate, each of them a program, and the gate as a server in front of them. */
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach } from "vitest";
import { promptsOf, resourcesOf } from "../../src/open/open-upstreams.ts";
import { createMcpTools } from "../../src/sources/builtin/mcp/mcp-tools.ts";
import { createMcpServer } from "../../src/surfaces/mcp/create-mcp-server.ts";
import { createFakeClock } from "../../src/testing/index.ts";
import { type Opened, UpstreamWorld } from "../unit/sources/upstream/upstream-world.ts";

/** A world for each test of the file. */
export function useUpstreams(): { world: UpstreamWorld } {
  const held = {} as { world: UpstreamWorld };
  beforeEach(() => {
    held.world = new UpstreamWorld();
  });
  afterEach(() => held.world.close());
  return held;
}

/** By its path from here. */
export function startedFrom(path: string, ...args: readonly string[]) {
  const program = fileURLToPath(new URL(path, import.meta.url));
  const rest = { env: {}, envPass: [], sandbox: "off" } as const;
  return { kind: "stdio", command: process.execPath, args: [program, ...args], ...rest } as const;
}

/** With prompts and a few resources, `note://a` among them. */
export const scripted = startedFrom("../unit/sources/upstream/scripted-server.mjs");

/** All that is not a call of their tools also goes through tools of the gate. */
export function withMcpTools(opened: Opened): Opened {
  const { upstreams } = opened.open;
  const ports = { resources: resourcesOf(() => upstreams), prompts: promptsOf(() => upstreams) };
  for (const tool of createMcpTools(ports)) opened.gate.tools.register(tool);
  return opened;
}

export function serve(opened: Opened) {
  const { gate, open } = withMcpTools(opened);
  const clock = createFakeClock();
  return { clock, server: createMcpServer({ gate, clock, version: "1", upstreams: open.upstreams }) };
}
