/** Reads a JSON body. Type and size are checked before reading, depth and keys before parsing. */
import { isUtf8 } from "node:buffer";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Json } from "../../core/input/json.ts";
import { parseJson } from "../../safe/schema/json-guard.ts";
import { type ProblemAnswer, problem } from "./problem.ts";

export type BodyResult =
  | { readonly ok: true; readonly text: string; readonly value: Json | undefined }
  | { readonly ok: false; readonly problem: ProblemAnswer }
  /** The client left in the middle: there is nobody to answer. */
  | { readonly ok: false; readonly problem: undefined };

export interface BodyReading {
  readonly maxBytes: number;
  /** A header for a client that waits before it sends the body. Node has no function that would write one. */
  readonly welcome: string | undefined;
}

/** Does a body follow? */
export function hasBody({ headers }: Pick<IncomingMessage, "headers">): boolean {
  const length = headers["content-length"];
  return headers["transfer-encoding"] !== undefined || (length !== undefined && length !== "0");
}

/** What can be said without reading the body. Undefined: the body may be read. */
export function checkBodyHeaders(
  { headers }: Pick<IncomingMessage, "headers">,
  maxBytes: number,
): ProblemAnswer | undefined {
  const type = headers["content-type"];
  if (type !== "application/json" && !(type !== undefined && jsonType.test(type)))
    return problem("unsupported_media_type", "The body must be JSON in UTF-8.", {
      hint: "Send Content-Type: application/json.",
    });
  const encoding = headers["content-encoding"];
  // Nothing is unpacked: a megabyte can hold a gigabyte.
  if (encoding !== undefined && encoding.toLowerCase() !== "identity")
    return problem("unsupported_media_type", "The body must not be compressed.");
  return Number(headers["content-length"] ?? 0) > maxBytes ? tooLarge(maxBytes) : undefined;
}

export function readBody(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { maxBytes, welcome }: BodyReading,
): Promise<BodyResult> {
  if (incoming.readableEnded)
    return Promise.resolve({
      ok: false,
      problem: problem("internal", "The body was read before it came here.", {
        hint: "Mount the handler before everything that reads bodies, such as express.json().",
      }),
    });
  // The client waits for this before it sends: a refused client has sent nothing.
  if (welcome !== undefined) outgoing.socket?.write(`HTTP/1.1 100 Continue\r\n${welcome}\r\n\r\n`);
  else if (incoming.headers.expect !== undefined) outgoing.writeContinue();
  return new Promise((resolve) => {
    let first: Buffer | undefined;
    let rest: Buffer[] | undefined;
    let bytes = 0;
    incoming.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > maxBytes) {
        first = undefined;
        rest = undefined;
        resolve({ ok: false, problem: tooLarge(maxBytes) });
      } else if (first === undefined) first = chunk;
      else if (rest === undefined) rest = [first, chunk];
      else rest.push(chunk);
    });
    incoming.once("end", () => {
      resolve(parse(rest === undefined ? first : Buffer.concat(rest)));
      // A call may go on for minutes; its bytes are parsed by now and not needed.
      first = undefined;
      rest = undefined;
    });
    incoming.once("error", () => resolve(gone));
    incoming.once("close", () => resolve(gone));
  });
}

const gone: BodyResult = { ok: false, problem: undefined };

function parse(bytes: Buffer | undefined): BodyResult {
  if (bytes === undefined) return { ok: true, text: "", value: undefined };
  // Replaced characters would mean that what is judged is not what was sent.
  if (!isUtf8(bytes)) return refuse("The body is not UTF-8 text.");
  const text = bytes.toString("utf8");
  const parsed = parseJson(text);
  if (parsed.ok) return { ok: true, text, value: parsed.value };
  const where = parsed.path === "$" ? "" : ` at ${parsed.path}`;
  return refuse(`The body cannot be used${where}: ${parsed.message}.`);
}

function refuse(detail: string): BodyResult {
  return { ok: false, problem: problem("bad_request", detail) };
}

function tooLarge(maxBytes: number): ProblemAnswer {
  return problem("body_too_large", `The body is larger than ${maxBytes} bytes.`, {
    hint: "Write large content to a file and pass its path.",
  });
}

const jsonType = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;
