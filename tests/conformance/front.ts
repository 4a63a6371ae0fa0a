/**
 * Stands before the server under test: the official suite can neither send a token nor know that tools and prompts of upstream servers are
 * named after their server. Everything else (host, origin, every other header, every byte of the answer) passes as it is.
 */
import { request as ask, createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

export interface FrontTarget {
  readonly url: string;
  readonly token: string;
  /** What the server under test puts before the names that the suite knows. */
  readonly toolPrefix: string;
  readonly promptPrefix: string;
}

export interface Front {
  readonly port: number;
  /** Known only after the front listens: the server has to know the front's port. */
  target(to: FrontTarget): void;
  close(): Promise<void>;
}

export async function openFront(): Promise<Front> {
  let to: FrontTarget | undefined;
  // The suite hears from the server under test how long connections are kept: none may be closed before that.
  const server = createServer({ keepAliveTimeout: 0 }, (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.once("end", () => {
      if (to === undefined) throw new Error("The front leads nowhere yet.");
      const { toolPrefix } = to;
      const given = Buffer.concat(chunks).toString();
      const { headers, body } = renamed(incoming.headers, given, to);
      const isList = toolPrefix !== "" && methodOf(given) === "tools/list";
      const onwards = ask(
        new URL(incoming.url ?? "/", to.url),
        { method: incoming.method, headers: { ...headers, authorization: `Bearer ${to.token}` } },
        (answer) => {
          answer.once("error", () => outgoing.destroy());
          const { "content-length": _length, ...others } = answer.headers;
          outgoing.writeHead(answer.statusCode ?? 502, isList ? others : answer.headers);
          outgoing.flushHeaders();
          if (!isList) {
            answer.pipe(outgoing);
            return;
          }
          let text = "";
          answer.setEncoding("utf8").on("data", (piece: string) => {
            text += piece;
          });
          answer.once("end", () => outgoing.end(text.replaceAll(`"name":"${toolPrefix}`, '"name":"')));
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
    target(given) {
      to = given;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const ofSuite = /^(?:test_|json_schema_)/;

function methodOf(body: string): string | undefined {
  return /"method":\s*"([^"]+)"/.exec(body)?.[1];
}

function renamed(headers: IncomingHttpHeaders, body: string, { toolPrefix, promptPrefix }: FrontTarget) {
  const method = methodOf(body);
  const isPrompt = method === "prompts/get" || method === "completion/complete";
  const prefix = isPrompt ? promptPrefix : method === "tools/call" ? toolPrefix : "";
  if (prefix === "") return { headers, body };
  const message = JSON.parse(body) as { params: { name?: string; ref?: { name?: string } } };
  const { params } = message;
  // Tools of the gate itself have no server.
  if (params.name !== undefined && !ofSuite.test(params.name)) return { headers, body };
  if (params.name !== undefined) params.name = prefix + params.name;
  if (params.ref?.name !== undefined) params.ref.name = prefix + params.ref.name;
  const { "mcp-name": name, "content-length": _length, ...others } = headers;
  const text = JSON.stringify(message);
  const changed = { ...others, "content-length": String(Buffer.byteLength(text)) };
  return {
    headers: name === undefined ? changed : { ...changed, "mcp-name": prefix + String(name) },
    body: text,
  };
}
