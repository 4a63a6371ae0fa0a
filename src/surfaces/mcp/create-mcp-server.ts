/** The server core: one gate, any number of connections, both eras of the protocol. */
import { IndexedList } from "../../core/run/indexed-list.ts";
import { Connection } from "./connection.ts";
import { ServerContext, within } from "./server-context.ts";
import type { McpServer, McpServerParts } from "./server-parts.ts";

export function createMcpServer(parts: McpServerParts): McpServer {
  const context = new ServerContext(parts);
  /** Over HTTP each request of the newer protocol is one. */
  const connections = new IndexedList<Connection>();
  return {
    connect(transport) {
      const connection = new Connection(transport, context, (closed) => connections.remove(closed));
      connections.add(connection);
      return connection;
    },
    async close({ drainMs = 0 } = {}) {
      context.stop();
      await new Promise<void>((resolve) => setImmediate(resolve));
      const idle = Promise.all(connections.all().map(({ peer }) => peer.idle()));
      if (drainMs > 0) await within(idle, drainMs, parts.clock);
      for (const connection of connections.all()) connection.close();
      context.tools.close();
    },
  };
}
