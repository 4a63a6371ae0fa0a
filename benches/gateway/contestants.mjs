// Who is measured: how each is started with the same upstream, and how it is talked to. `peer`: the bars compare toolgate with the best of these.

import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { asToolgate } from "./toolgate.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const own = (file) => join(here, file);
const installed = (file) => join(here, "..", "node_modules", file);
const node = process.execPath;
const upstream = (tools) => [own("upstream.mjs"), String(tools)];
const shellLine = (tools) => [node, ...upstream(tools)].map((word) => `'${word}'`).join(" ");

/** `args({ tools, port, folder })`; `over` is "stdio", "http" (Streamable HTTP) or "sse" (its predecessor). */
export const contestants = [
  { key: "direct", name: "direct", over: "stdio", args: ({ tools }) => upstream(tools) },
  {
    key: "floor",
    name: "floor: ids exchanged, nothing else",
    over: "stdio",
    args: ({ tools }) => [own("floor.mjs"), ...upstream(tools)],
  },
  {
    key: "sdk-v1",
    name: "hand-written on SDK v1",
    over: "stdio",
    peer: true,
    args: ({ tools }) => [own("sdk-v1-gateway.mjs"), ...upstream(tools)],
  },
  {
    key: "mastra",
    name: "mastra client -> server",
    over: "stdio",
    peer: true,
    modern: true,
    args: ({ tools }) => [own("mastra-gateway.mjs"), ...upstream(tools)],
  },
  { key: "toolgate", name: "toolgate mcp", over: "stdio", ...asToolgate("mcp", upstream) },
  {
    key: "toolgate-execute",
    name: "toolgate mcp, a tool that executes",
    over: "stdio",
    ...asToolgate("mcp", upstream, { permission: "execute" }),
  },
  {
    key: "raw-http",
    name: "raw node:http, no gateway",
    over: "http",
    args: ({ port }) => [own("raw-http.mjs"), port],
    withoutList: true,
  },
  {
    key: "raw-http-gateway",
    name: "raw node:http -> upstream",
    over: "http",
    args: ({ tools, port }) => [own("raw-http.mjs"), port, ...upstream(tools)],
  },
  {
    key: "sdk-v1-http",
    name: "hand-written on SDK v1, HTTP",
    over: "http",
    peer: true,
    args: ({ tools, port }) => [own("sdk-v1-http.mjs"), port, ...upstream(tools)],
  },
  {
    key: "sdk-v2-http",
    name: "hand-written on SDK v2, HTTP",
    over: "http",
    peer: true,
    modern: true,
    args: ({ tools, port }) => [own("sdk-v2-http.mjs"), port, ...upstream(tools)],
  },
  {
    key: "supergateway",
    name: "supergateway, HTTP",
    over: "http",
    peer: true,
    args: ({ tools, port }) => [
      installed("supergateway/dist/index.js"),
      ...["--stdio", shellLine(tools), "--outputTransport", "streamableHttp", "--stateful"],
      ...["--port", port, "--logLevel", "none"],
    ],
  },
  {
    key: "supergateway-sse",
    name: "supergateway, SSE",
    over: "sse",
    peer: true,
    args: ({ tools, port }) => [
      installed("supergateway/dist/index.js"),
      ...["--stdio", shellLine(tools), "--outputTransport", "sse", "--port", port, "--logLevel", "none"],
    ],
  },
  {
    key: "mcp-proxy",
    name: "mcp-proxy, HTTP",
    over: "http",
    peer: true,
    args: ({ tools, port }) => [
      installed("mcp-proxy/dist/bin/mcp-proxy.mjs"),
      ...["--port", port, "--host", "127.0.0.1", "--server", "stream", "--", node, ...upstream(tools)],
    ],
  },
  {
    key: "mcp-proxy-sse",
    name: "mcp-proxy, SSE",
    over: "sse",
    peer: true,
    args: ({ tools, port }) => [
      installed("mcp-proxy/dist/bin/mcp-proxy.mjs"),
      ...["--port", port, "--host", "127.0.0.1", "--server", "sse", "--", node, ...upstream(tools)],
    ],
  },
  { key: "toolgate-http", name: "toolgate serve", over: "http", ...asToolgate("serve", upstream) },
  {
    key: "toolgate-http-modern",
    name: "toolgate serve, 2026-07-28",
    over: "http",
    modern: true,
    ...asToolgate("serve", upstream),
  },
];

/** Wanted, but not to be had. */
export const absent = [
  { name: "1MCP (@1mcp/agent)", reason: "not in the package registry" },
  { name: "mcphub", reason: "not in the package registry" },
];
