/** A server as `toolgate serve` makes it, with what the official suite expects behind it. */
import { resourcesOf } from "../../src/open/open-upstreams.ts";
import { createMcpTools } from "../../src/sources/builtin/mcp/mcp-tools.ts";
import { allRoutes } from "../../src/surfaces/serve/all-routes.ts";
import { startTestServer } from "../http-server.ts";
import { openFront } from "./front.ts";
import { addedTool, suiteTools } from "./suite-tools.ts";
import { createSuiteUpstream, suiteServer } from "./suite-upstream.ts";

export interface SuiteWorld {
  /** Where the suite asks. */
  readonly url: string;
  /** Where others may ask, as they are. */
  readonly direct: { readonly url: string; readonly token: string };
  /** What broke inside. */
  readonly broken: readonly string[];
  close(): Promise<void>;
}

const token = "token-all";

/** A resource or a prompt that is asked for with an address (`resourceUri`) asks a person by default. */
export const toolsWithAddresses = ["mcp.resource_read", "mcp.prompt_get"] as const;

export async function openSuiteWorld(): Promise<SuiteWorld> {
  const front = await openFront();
  const suite = createSuiteUpstream();
  const { upstreams } = suite;
  const server = await startTestServer({
    routes: allRoutes,
    hosts: [`127.0.0.1:${front.port}`, `localhost:${front.port}`],
    limits: { maxInFlight: 1_000, maxPerMinute: 100_000, maxStreams: 100 },
    gate: {
      policies: [{ name: "addresses of the suite", tools: [...toolsWithAddresses], action: "approve" }],
    },
    mcp: { upstreams, legLimits: { quietMs: 50, maxStreamMs: 300 } },
  });
  const { gate } = server.parts;
  const tools = suiteTools({
    tools() {
      gate.tools.register(addedTool, { kind: "library" });
      gate.tools.unregister(addedTool.id);
    },
    prompts: () => suite.change("prompts"),
  });
  const prompts = {
    servers: () => [suiteServer],
    list: upstreams.listPrompts,
    get: upstreams.getPrompt,
  };
  for (const tool of [...tools, ...createMcpTools({ resources: resourcesOf(() => upstreams), prompts })])
    gate.tools.register(tool, { kind: "library" });
  front.target({ url: server.url, token, toolPrefix: "", promptPrefix: `${suiteServer}__` });
  return {
    url: `http://127.0.0.1:${front.port}/mcp`,
    direct: { url: `${server.url}/mcp`, token },
    broken: server.broken,
    async close() {
      await front.close();
      await server.close({ drainMs: 500 });
    },
  };
}
