/** The official MCP clients, old and new, each speaking its own way, under one set of names. */
import { Client as NewClient, StreamableHTTPClientTransport as NewHttp } from "@modelcontextprotocol/client";
import { StdioClientTransport as NewStdio } from "@modelcontextprotocol/client/stdio";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as OldStdio } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as OldHttp } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";

export interface Started {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

export type Reached = { readonly url: string; readonly token: string } | Started;

export interface CallResult {
  readonly text: string;
  readonly isError: boolean;
}

export interface TestClient {
  readonly protocolVersion: string | undefined;
  toolNames(): Promise<readonly string[]>;
  call(name: string, input: Record<string, unknown>, options?: CallOptions): Promise<CallResult>;
  close(): Promise<void>;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: { readonly progress: number }) => void;
}

/** What the person at the client says to a question; undefined: the client cannot be asked. */
export type Person = ((message: string) => { action: "accept" | "decline"; content?: object }) | undefined;

export const clientKinds = ["client v1", "client v2, older protocol", "client v2, newest protocol"] as const;

export type ClientKind = (typeof clientKinds)[number];

export function connectClient(kind: ClientKind, to: Reached, person?: Person): Promise<TestClient> {
  return kind === "client v1" ? connectOld(to, person) : connectNew(kind, to, person);
}

async function connectOld(to: Reached, person: Person): Promise<TestClient> {
  const client = new OldClient(info, { capabilities: capabilitiesOf(person) });
  if (person !== undefined)
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => person(params.message) as never);
  const transport =
    "url" in to ? new OldHttp(new URL(to.url), withToken(to.token)) : new OldStdio(startedBy(to));
  // The package's own types do not agree with exactOptionalPropertyTypes.
  await client.connect(transport as never);
  return {
    protocolVersion: "url" in to ? (transport as OldHttp).protocolVersion : undefined,
    toolNames: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, input, { signal, onProgress } = {}) => {
      const options = { ...(signal && { signal }), ...(onProgress && { onprogress: onProgress }) };
      return resultOf(await client.callTool({ name, arguments: input }, undefined, options));
    },
    async close() {
      if ("url" in to) await (transport as OldHttp).terminateSession();
      await client.close();
    },
  };
}

async function connectNew(kind: ClientKind, to: Reached, person: Person): Promise<TestClient> {
  const isNewest = kind === "client v2, newest protocol";
  const client = new NewClient(info, {
    capabilities: capabilitiesOf(person),
    versionNegotiation: { mode: isNewest ? { pin: "2026-07-28" } : "legacy" },
  });
  if (person !== undefined)
    client.setRequestHandler("elicitation/create", ({ params }) => person(params.message) as never);
  const transport =
    "url" in to ? new NewHttp(new URL(to.url), withToken(to.token)) : new NewStdio(startedBy(to));
  await client.connect(transport as never);
  return {
    protocolVersion: client.getNegotiatedProtocolVersion(),
    toolNames: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, input, { signal, onProgress } = {}) => {
      const options = { ...(signal && { signal }), ...(onProgress && { onprogress: onProgress }) };
      return resultOf(await client.callTool({ name, arguments: input }, options));
    },
    async close() {
      if ("url" in to && !isNewest) await (transport as NewHttp).terminateSession();
      await client.close();
    },
  };
}

const info = { name: "test-client", version: "1.0.0" };

function capabilitiesOf(person: Person) {
  return person === undefined ? {} : { elicitation: {} };
}

function withToken(token: string) {
  return { requestInit: { headers: { authorization: `Bearer ${token}` } } };
}

function startedBy({ command, args, cwd, env }: Started) {
  return { command, args: [...args], cwd, env: { ...env }, stderr: "pipe" as const };
}

function resultOf(result: object): CallResult {
  const { content, isError } = result as { content?: { type: string; text?: string }[]; isError?: boolean };
  return { text: (content ?? []).map(({ text }) => text ?? "").join("\n"), isError: isError === true };
}
