import type { AddressInfo } from "node:net";
import { createServer, type Socket } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { toStoreError } from "../../../../src/stores/postgres/connect/postgres-error.ts";
import { createCliWorld } from "../../surfaces/cli/cli-world.ts";

/** A server that answers the first message of a client in this way. */
async function server(answer: (socket: Socket, first: Buffer) => void): Promise<number> {
  const listening = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", (first) => answer(socket, first));
  });
  await new Promise<void>((done) => listening.listen(0, "127.0.0.1", done));
  onTestFinished(() => void listening.close());
  return (listening.address() as AddressInfo).port;
}

function errorMessage(code: string, message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${message}\0\0`);
  const head = Buffer.alloc(5);
  head.write("E");
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}

async function status(url: string) {
  const world = createCliWorld();
  onTestFinished(() => world.close());
  return world.run(["store", "status"], { env: { TOOLGATE_STORE: url } });
}

describe("a database and TLS", () => {
  it("that has none says how to go on", async () => {
    const port = await server((socket) => socket.end("N"));
    const { code, out, err } = await status(`postgres://ann@127.0.0.1:${port}/db?sslmode=require`);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain("offers no encrypted connection");
    expect(err).toContain("sslmode=disable");
    expect(err.trim().split("\n")).toHaveLength(1);
  });

  it.each([
    ["28000", 'no pg_hba.conf entry for host "127.0.0.1", user "ann", database "db", no encryption'],
    ["28000", "SSL connection is required. Please specify SSL options and retry."],
    ["08004", "connection is insecure (try using `sslmode=require`)"],
  ])("that wants it says so: %s %s", async (sqlState, message) => {
    const port = await server((socket) => socket.end(errorMessage(sqlState, message)));
    const { code, err } = await status(`postgres://ann@127.0.0.1:${port}/db`);
    expect(code).toBe(1);
    expect(err).toContain("takes encrypted connections only: add sslmode=require to the URL");
  });

  it("whose certificate nobody knows names what to give it", () => {
    const place = { shown: "postgres://ann@db/db", secrets: [] };
    const error = Object.assign(new Error("self-signed certificate"), {
      code: "DEPTH_ZERO_SELF_SIGNED_CERT",
    });
    const { problem, message } = toStoreError(error, place);
    expect(problem).toBe("cannot_open");
    expect(message).toContain("sslrootcert");
  });
});
