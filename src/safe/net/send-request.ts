/** Writes one HTTP/1.1 request on a connection that was checked before, and waits for the head of the answer. */
import { request as httpRequest, type IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { RequestParts } from "./request-parts.ts";

export function sendRequest(
  url: URL,
  parts: RequestParts,
  socket: Socket,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({
      // With a connection of its own there is no agent: no pool, no proxy from the environment, no reuse.
      createConnection: () => socket,
      method: parts.method,
      path: url.pathname + url.search,
      setHost: false,
      headers: {
        host: url.host,
        accept: "*/*",
        "user-agent": "toolgate",
        ...Object.fromEntries(parts.headers),
        "accept-encoding": "gzip, br, deflate",
        connection: "close",
        ...(parts.body === undefined ? {} : { "content-length": String(parts.body.byteLength) }),
      },
      maxHeaderSize: maxHeaderBytes,
      insecureHTTPParser: false,
      signal,
    });
    request.on("response", resolve);
    request.on("upgrade", (_response, upgraded) => {
      upgraded.destroy();
      reject(new Error("the server switched protocols"));
    });
    request.on("error", reject);
    request.on("close", () => reject(new Error("closed before an answer")));
    request.end(parts.body);
  });
}

/** Lower-case names to values; a plain object would let a header named `__proto__` play tricks. */
export function headersOf(response: IncomingMessage): Readonly<Record<string, string>> {
  const headers: Record<string, string> = Object.create(null);
  for (const [name, values] of Object.entries(response.headersDistinct)) {
    if (values !== undefined) headers[name] = values.join(", ");
  }
  return Object.freeze(headers);
}

const maxHeaderBytes = 32 * 1024;
