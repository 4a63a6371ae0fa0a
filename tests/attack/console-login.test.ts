import { spawn } from "node:child_process";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { connect, createServer } from "node:net";
import { describe, expect, it } from "vitest";
import { isForeignPeer, ownersOf } from "../../src/safe/net/foreign-peer.ts";
import { consoleRights } from "../../src/surfaces/http/tokens/console-login.ts";
import { makeLoginCode, takeLoginCode } from "../../src/surfaces/http/tokens/login-codes.ts";
import { allRoutes } from "../../src/surfaces/serve/all-routes.ts";
import { startTestServer } from "../http-server.ts";
import { createApi } from "../unit/surfaces/http/api.ts";

const wish = { rights: consoleRights, by: "ada" };

it("a stranger who guesses codes is slowed down, and does not keep out the person who has the right one", async () => {
  await using server = await startTestServer({ routes: allRoutes });
  const api = createApi(server);
  const guess = (code: string) => api.post("/api/console/login", { code });
  for (let count = 0; count < 10; count++) expect((await guess(`guess-${count}`)).status).toBe(410);
  const late = await guess("guess-11");
  expect(late.status).toBe(429);
  expect(late.headers.get("retry-after")).toBe("6");
  expect((await guess(makeLoginCode(server.stateFolder, wish, Date.now()).code)).status).toBe(200);
});

describe("a link that a program was started with", () => {
  it("is of no use to others who read it in the list of processes, and is not used up by them", async () => {
    await using server = await startTestServer({ routes: allRoutes });
    const now = Date.now();
    const { code } = makeLoginCode(server.stateFolder, { ...wish, ownUserOnly: true }, now);
    expect(takeLoginCode(server.stateFolder, code, now, () => true)).toEqual({ ok: false, why: "unknown" });
    expect((await createApi(server).post("/api/console/login", { code })).status).toBe(200);
  });

  it("does not care about who asks where it was printed", async () => {
    await using server = await startTestServer({ routes: allRoutes });
    const { code } = makeLoginCode(server.stateFolder, wish, 1);
    expect(takeLoginCode(server.stateFolder, code, 2, () => true).ok).toBe(true);
  });
});

describe("whose the other end of a connection is", () => {
  it("is read from the system's table by the ports of both ends", () => {
    const table = [
      "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode",
      "   0: 0100007F:122F 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 1 1 0 100 0",
      "   1: 0100007F:C350 0100007F:122F 01 00000000:00000000 00:00000000 00000000  1001        0 2 1 0 20 4",
      "   2: 0100007F:122F 0100007F:C350 01 00000000:00000000 00:00000000 00000000  1000        0 3 1 0 20 4",
    ].join("\n");
    expect(ownersOf(table, { remotePort: 50_000, localPort: 4_655 })).toEqual([1001]);
    expect(ownersOf(table, { remotePort: 50_001, localPort: 4_655 })).toEqual([]);
  });

  const isLinuxRoot = process.platform === "linux" && process.getuid?.() === 0;
  it.runIf(process.platform === "linux")("is our own for a connection of our own", async () => {
    expect(
      await whoComes((port) => {
        const socket = connect(port, "127.0.0.1");
        return () => socket.destroy();
      }),
    ).toBe(false);
  });

  it.runIf(isLinuxRoot)("is another user's where one comes", async () => {
    const program = `exec 3<>/dev/tcp/127.0.0.1/$0; sleep 5`;
    const found = await whoComes((port) => {
      const child = spawn("/bin/bash", ["-c", program, String(port)], { uid: 65_534, cwd: "/" });
      return () => child.kill("SIGKILL");
    });
    expect(found).toBe(true);
  });
});

async function whoComes(come: (port: number) => (() => void) | undefined): Promise<boolean> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const leave = come((server.address() as AddressInfo).port);
  const [socket] = await once(server, "connection");
  const { remotePort, localPort } = socket;
  const isForeign = isForeignPeer({ remotePort, localPort });
  leave?.();
  socket.destroy();
  server.close();
  return isForeign;
}
