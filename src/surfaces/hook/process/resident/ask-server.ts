/**
 * Asks the `toolgate serve` of this machine about a call, as `hook.sh` does, byte for byte: the server first
 * proves that it wrote the file that only we can read, and only then gets the call. Whatever is not exactly as
 * it should be is no answer, and the one who asks checks by himself.
 */
import { connect, type Socket } from "node:net";
import type { HookAnswer } from "../../../../agents/agent-hook.ts";
import { promptVariables } from "../../../../agents/all-agents.ts";
import { type Environment, findFolders } from "../../../../config/folders.ts";
import { hookAddressFile, placeVariables } from "../find-place.ts";
import { type ByteReader, createByteReader } from "./byte-reader.ts";
import { readServedAnswer } from "./served-answer.ts";
import { readServerAddress, type ServerAddress } from "./server-address.ts";

export interface ServedCall {
  readonly agent: string;
  /** As the agent wrote it. */
  readonly text: string;
  /** Unique for each request. */
  readonly nonce: string;
  readonly cwd: string | undefined;
  readonly env: Environment;
  /** How long the agent waits for us. */
  readonly seconds: number;
  readonly signal: AbortSignal;
}

/** Undefined: nobody answered as a server of ours does. */
export async function askServer(call: ServedCall): Promise<HookAnswer | undefined> {
  const place = placeOf(call);
  const address = readServerAddress(hookAddressFile(findFolders(call.env).state));
  if (place === undefined || address === undefined || call.text.length > longestCall) return undefined;
  const { host, port } = address;
  const socket = connect({ host, port, noDelay: true, signal: call.signal });
  try {
    return await talk({ ...call, place, address }, socket, createByteReader(socket));
  } catch {
    // It is gone, or another program: the check of the process itself decides.
    return undefined;
  } finally {
    socket.destroy();
  }
}

/** What a server takes at most, with room for its escapes. */
const longestCall = 4 * 1024 * 1024;
/** Until the server has proven who it is, and between two signs that it still works. */
const firstMs = 10_000;
const beatMs = 7_000;
/** Of how long the agent waits: what the own check needs, should the server give none. */
const ownMs = 10_000;

interface Talk extends ServedCall {
  readonly place: string;
  readonly address: ServerAddress;
}

async function talk(call: Talk, socket: Socket, reader: ByteReader): Promise<HookAnswer | undefined> {
  const { agent, nonce, seconds, place, text } = call;
  const { host, port, token, key } = call.address;
  const startedAt = Date.now();
  const left = (ms: number) => Math.min(ms, startedAt + seconds * 1_000 - ownMs - Date.now());
  const named = host === "::1" ? "[::1]" : "127.0.0.1";
  const head = [
    `POST /api/hook/${agent} HTTP/1.1`,
    `Host: ${named}:${port}`,
    `Authorization: Bearer ${token}`,
    `Toolgate-Call: ${nonce}\t${seconds}\t.`,
    "Content-Type: application/json",
    "Connection: close",
    "Expect: 100-continue",
    "Transfer-Encoding: chunked",
    "Trailer: Toolgate-Place",
  ];
  socket.write(`${head.join("\r\n")}\r\n\r\n`);
  const proof = `HTTP/1.1 100 Continue\r\nToolgate-Proof: ${key} ${nonce}\r\n\r\n`;
  if ((await reader.take(proof.length, left(firstMs))).toString("latin1") !== proof) return undefined;
  const body = Buffer.from(text);
  socket.write(`${body.length.toString(16)}\r\n`);
  socket.write(body);
  socket.write(`\r\n0\r\nToolgate-Place: ${place}.\r\n\r\n`);
  const working = "HTTP/1.1 102 Processing\r\n\r\n";
  let first = await reader.take(working.length, left(firstMs));
  while (first.toString("latin1") === working) first = await reader.take(working.length, left(beatMs));
  const wanted = `HTTP/1.1 200 OK\r\n\r\n${key} ${nonce} `;
  const rest = await reader.take(wanted.length + lengthDigits + 1 - first.length, left(beatMs));
  const said = Buffer.concat([first, rest]).toString("latin1");
  const [, digits] = /^(\d{7}) $/.exec(said.slice(wanted.length)) ?? [];
  if (!said.startsWith(wanted) || digits === undefined) return undefined;
  return readServedAnswer(await reader.take(Number(digits), left(beatMs)));
}

const lengthDigits = 7;

/** Which rules hold, and who is asked. Undefined: something in it cannot stand in a header. */
function placeOf({ cwd, env }: ServedCall): string | undefined {
  if (cwd === undefined) return undefined;
  const sent = [...placeVariables, ...promptVariables]
    .filter((name) => env[name] !== undefined)
    .map((name) => `${name}=${env[name]}`);
  const fields = [`PWD=${cwd}`, ...sent];
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  if (fields.some((field) => /[\x00-\x1f\x7f]/.test(field))) return undefined;
  const place = fields.map((field) => `${field}\t`).join("");
  return Buffer.byteLength(place) > longestPlace ? undefined : place;
}

const longestPlace = 12_000;
