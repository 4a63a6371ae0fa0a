/**
 * Stands before the server under test: the official suite can neither send a token nor know that a prompt is named after its server.
 * Everything else (host, origin, every other header, every byte of the answer) passes as it is.
 */
import { request as ask, createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

export interface Front {
  readonly port: number;
  /** Known only after the front listens: the server has to know the front's port. */
  target(url: string, token: string, promptServer: string): void;
  close(): Promise<void>;
}

export async function openFront(): Promise<Front> {
  let to: { readonly url: URL; readonly token: string; readonly promptServer: string } | undefined;
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.once("end", () => {
      if (to === undefined) throw new Error("The front leads nowhere yet.");
      const { headers, body } = renamed(incoming.headers, Buffer.concat(chunks).toString(), to.promptServer);
      const onwards = ask(
        new URL(incoming.url ?? "/", to.url),
        { method: incoming.method, headers: { ...headers, authorization: `Bearer ${to.token}` } },
        (answer) => {
          outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
          outgoing.flushHeaders();
          answer.pipe(outgoing);
          answer.once("error", () => outgoing.destroy());
        },
      );
      onwards.once("error", () => outgoing.destroy());
      outgoing.once("close", () => onwards.destroy());
      onwards.end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    target(url, token, promptServer) {
      to = { url: new URL(url), token, promptServer };
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function renamed(headers: IncomingHttpHeaders, body: string, server: string) {
  if (!/"method":\s*"(?:prompts\/get|completion\/complete)"/.test(body)) return { headers, body };
  const message = JSON.parse(body) as { params: { name?: string; ref?: { name?: string } } };
  const { params } = message;
  if (params.name !== undefined) params.name = `${server}__${params.name}`;
  if (params.ref?.name !== undefined) params.ref.name = `${server}__${params.ref.name}`;
  const { "mcp-name": name, "content-length": _length, ...others } = headers;
  const text = JSON.stringify(message);
  const changed = { ...others, "content-length": String(Buffer.byteLength(text)) };
  return {
    headers: name === undefined ? changed : { ...changed, "mcp-name": `${server}__${String(name)}` },
    body: text,
  };
}
