/** Serves a gate over the SDK's own kind of transport: messages as objects, in the same process. */
import { isJsonObject } from "../../core/input/json.ts";
import { packageVersion } from "../../gate/package-version.ts";
import { createSystemClock } from "../../gate/system.ts";
import { isRequestId } from "../../mcp/messages.ts";
import { createMcpServer } from "./create-mcp-server.ts";
import type { McpServerParts, McpTransport } from "./server-parts.ts";

export interface ObjectTransport {
  start(): Promise<void>;
  send(message: unknown, options?: { readonly relatedRequestId?: unknown }): Promise<void>;
  close(): Promise<void>;
  onmessage?: ((message: unknown) => void) | undefined;
  onclose?: (() => void) | undefined;
}

export type ObjectServerOptions = Omit<McpServerParts, "clock" | "version"> &
  Pick<McpTransport, "caller" | "sessionId" | "cwd">;

/** Answers how to end it. */
export async function serveObjects(
  transport: ObjectTransport,
  { caller, sessionId, cwd, ...parts }: ObjectServerOptions,
): Promise<() => Promise<void>> {
  const server = createMcpServer({ ...parts, clock: createSystemClock(), version: packageVersion() });
  const connection = server.connect({
    caller,
    sessionId,
    cwd,
    send: (json, about) => {
      const related = isRequestId(about) ? { relatedRequestId: about } : undefined;
      // A transport that is closed has nobody who misses the message.
      transport.send(JSON.parse(json), related).catch(() => {});
    },
  });
  const before = transport.onclose;
  transport.onmessage = (message) => {
    if (isJsonObject(message)) connection.receive(message);
  };
  transport.onclose = () => {
    before?.();
    connection.close();
  };
  await transport.start();
  return () => server.close();
}
