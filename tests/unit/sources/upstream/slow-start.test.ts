import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { UpstreamWorld } from "./upstream-world.ts";

const server = fileURLToPath(new URL("./scripted-server.mjs", import.meta.url));
let world: UpstreamWorld;
beforeEach(() => {
  world = new UpstreamWorld();
});
afterEach(() => world.close());

/** Whose calls have less time than a slow start takes. */
function entry(...flags: string[]) {
  const args = [server, ...flags];
  const program = { kind: "stdio", command: process.execPath, args, env: {}, envPass: [] } as const;
  return world.entry("slow", { transport: { ...program, sandbox: "off" }, timeoutMs: 1_000 });
}

describe("an upstream server that starts slowly", () => {
  it("is waited for by a look until it has started, by a call for its own time only", async () => {
    await (await world.open([entry()])).close();
    const opened = await world.open([entry("--slow=3000")], "known");
    const status = () => opened.open.upstreams.status()[0];
    const looking = opened.open.look();
    expect(await opened.call("slow__echo")).toMatchObject({ ok: false });
    expect(status()?.state).toBe("starting");
    await looking;
    expect([status()?.state, status()?.problem]).toEqual(["ready", undefined]);
    expect(await opened.call("slow__echo")).toMatchObject({ ok: true });
  });
});
