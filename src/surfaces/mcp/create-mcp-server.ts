/** The server core: one gate, any number of connections, both eras of the protocol. */
import type { McpServer, McpServerParts } from "./server-parts.ts";

export function createMcpServer(_parts: McpServerParts): McpServer {
  throw new Error("not there yet");
}
