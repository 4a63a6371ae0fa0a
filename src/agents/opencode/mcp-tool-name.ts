/**
 * OpenCode and Kilo call the tool `shout` of the MCP server `echo` `echo_shout`, with every other character
 * than letters, digits, `_` and `-` replaced. Which part is the server's, only their configuration says.
 */
import type { NameTool } from "../in-process/read-plugin-call.ts";

/** Tools of their own that look like those of a server. */
const own = /^(?:apply_patch|plan_(?:enter|exit)|(?:list|read)_mcp_resource(?:s|_templates)?)$/;

export const nameMcpTool: NameTool = (tool, servers) => {
  if (servers === undefined)
    return tool.includes("_") && !own.test(tool)
      ? {
          problem: `${tool} may be a tool of an MCP server, and the agent has not said which servers it has.`,
        }
      : { tool };
  const named = new Set(servers.map((server) => server.replace(/[^a-zA-Z0-9_-]/g, "_")));
  const fitting = [...named].filter(
    (server) => tool.startsWith(`${server}_`) && tool.length > server.length + 1,
  );
  const [server] = fitting;
  if (server === undefined) return { tool };
  if (fitting.length === 1 && !own.test(tool))
    return { tool: `mcp__${server}__${tool.slice(server.length + 1)}` };
  // Either reading could be the one that a rule forbids.
  const whose = fitting.map((one) => `the MCP server ${one}`);
  const all = own.test(tool) ? ["the agent itself", ...whose] : whose;
  return { problem: `${tool} could be a tool of ${all.join(" or of ")}. Give the server another name.` };
};
