/** Real loopback servers for the fetch tests, and a certificate made on the spot for the encrypted ones. */
import { generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, createServer as createTcpServer, type Socket } from "node:net";

export interface RunningServer {
  readonly port: number;
  /** Connections taken, whether or not a request came over them. */
  connections(): number;
  close(): Promise<void>;
}

export async function serveHttp(
  listener: RequestListener,
  host = "127.0.0.1",
  port = 0,
): Promise<RunningServer> {
  return running(createServer({ maxHeaderSize: 1 << 20 }, listener), host, port);
}

export async function serveHttps(
  listener: RequestListener,
  certificate: Certificate,
  host = "127.0.0.1",
): Promise<RunningServer> {
  return running(createTlsServer({ key: certificate.key, cert: certificate.cert }, listener), host, 0);
}

/** For answers that no HTTP server would write. */
export async function serveRaw(onConnection: (socket: Socket) => void): Promise<RunningServer> {
  return running(createTcpServer(onConnection) as unknown as Server, "127.0.0.1", 0);
}

async function running(server: Server, host: string, port: number): Promise<RunningServer> {
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on("connection", (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

/** A self-signed certificate for DNS names, valid from yesterday for a month. */
export function makeCertificate(names: readonly string[]): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const algorithm = sequence(hex("06082a8648ce3d040302"));
  const subject = sequence(der(0x31, sequence(hex("0603550403"), der(0x0c, Buffer.from("toolgate test")))));
  const validity = sequence(time(-86_400_000), time(30 * 86_400_000));
  const alternatives = sequence(...names.map((name) => der(0x82, Buffer.from(name))));
  const extensions = sequence(
    sequence(hex("0603551d11"), der(0x04, alternatives)),
    sequence(hex("0603551d13"), hex("0101ff"), der(0x04, sequence(hex("0101ff")))),
  );
  const body = sequence(
    der(0xa0, hex("020102")),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    subject,
    validity,
    subject,
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, extensions),
  );
  const signature = sign("sha256", body, privateKey);
  const whole = sequence(body, algorithm, der(0x03, Buffer.concat([Buffer.from([0]), signature])));
  const lines = whole.toString("base64").replace(/.{64}/g, "$&\n");
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  };
}

function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const head =
    length < 128
      ? [tag, length]
      : length < 256
        ? [tag, 0x81, length]
        : [tag, 0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from(head), content]);
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts));
}

function hex(digits: string): Buffer {
  return Buffer.from(digits, "hex");
}

function time(fromNowMs: number): Buffer {
  const text = new Date(Date.now() + fromNowMs).toISOString().replace(/[-:T]/g, "").slice(2, 14);
  return der(0x17, Buffer.from(`${text}Z`));
}
