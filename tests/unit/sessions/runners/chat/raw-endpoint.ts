/** A model endpoint on loopback that a test answers for byte by byte. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface RawRequest {
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  // biome-ignore lint/suspicious/noExplicitAny: whatever a test wants to see of it
  readonly body: any;
}

export type RawReply = (response: ServerResponse, request: RawRequest) => void | Promise<void>;

export interface RawEndpoint {
  readonly url: string;
  readonly requests: readonly RawRequest[];
  /** Requests whose client went away before the answer ended. */
  readonly left: readonly number[];
  close(): Promise<void>;
}

/** One reply per request; the last one for all that follow. */
export async function rawEndpoint(replies: readonly RawReply[]): Promise<RawEndpoint> {
  const requests: RawRequest[] = [];
  const left: number[] = [];
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    const number = requests.length;
    const asked = { path: request.url ?? "", headers: request.headers, body: JSON.parse(text) };
    requests.push(asked);
    response.on("close", () => {
      if (!response.writableEnded) left.push(number);
    });
    await (replies[number] ?? replies.at(-1))?.(response, asked);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    left,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** These bytes, as a stream of events, in one piece. */
export function events(...data: (string | object)[]): RawReply {
  return (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(eventText(data));
  };
}

export function eventText(data: readonly (string | object)[], lineEnd = "\n"): string {
  return data
    .map((one) => `data: ${typeof one === "string" ? one : JSON.stringify(one)}${lineEnd}${lineEnd}`)
    .join("");
}

/** A piece of an answer of chat completions. */
export function piece(delta: object, finish: string | null = null): object {
  return { choices: [{ index: 0, delta, finish_reason: finish }] };
}

export function status(code: number, body: object | string, headers: Record<string, string> = {}): RawReply {
  return (response) => {
    response.writeHead(code, { "content-type": "application/json", ...headers });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  };
}

/** The connection ends after these events, without an end of the answer. */
export function cutAfter(...data: (string | object)[]): RawReply {
  return (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(eventText(data), () => setTimeout(() => response.destroy(), 20));
  };
}
