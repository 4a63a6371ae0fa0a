/** Tools: what there is, one of them, and reading the plugin files again. */

import { json, ready } from "../../http/answer.ts";
import { problem } from "../../http/problem.ts";
import type { ReloadResult } from "../contract.ts";
import { defineGateRoute } from "../rest-route.ts";
import { reloadResult, toolEntry, toolList, toolQuery } from "../schemas/tools.ts";
import { toolListBytes } from "../tool-list.ts";
import { explainNoTool, viewTools } from "../view-tools.ts";

const listTools = defineGateRoute({
  method: "GET",
  path: "/api/tools",
  right: ["call", "read"],
  summary: "All tools, and which of them this token could call",
  query: toolQuery,
  answers: { 200: toolList },
  handle: ({ query, holder }, { gate }) =>
    ready("application/json", toolListBytes(gate, holder.caller, query)),
});

const getTool = defineGateRoute({
  method: "GET",
  path: "/api/tools/:name",
  right: ["call", "read"],
  summary: "One tool, by any of its names",
  params: { name: "The tool's id, wire name or alias." },
  answers: { 200: toolEntry },
  handle({ params, holder }, { gate }) {
    const id = gate.tools.seenBy(holder.caller, params.name)?.id;
    const tool = id && viewTools(gate, holder.caller).find(({ name }) => name === id);
    if (tool) return json(tool);
    return problem("not_found", explainNoTool(gate, holder.caller, params.name), {
      hint: "GET /api/tools lists them.",
    });
  },
});

const reloadTools = defineGateRoute({
  method: "POST",
  path: "/api/tools/reload",
  right: "admin",
  summary: "Reads the plugin files again",
  description:
    "Built-in tools stay; `toolCount` is the number of all tools afterwards. What is broken is left out and named in `errors`; the rest is served. Calls in flight end on the old definition.",
  answers: { 200: reloadResult },
  async handle(_request, { gate, plugins }) {
    const report = (await plugins?.reload()) ?? { success: true, errors: [], warnings: [] };
    return json({
      success: report.success,
      toolCount: gate.tools.count,
      errors: [...report.errors],
      warnings: [...report.warnings],
    } satisfies ReloadResult);
  },
});

export const toolRoutes = [listTools, reloadTools, getTool];
