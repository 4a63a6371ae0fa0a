/** The coding agents of the machine that the server runs on. */
import { json } from "../../http/answer.ts";
import { problem } from "../../http/problem.ts";
import type { AgentList } from "../contract.ts";
import { defineRoute } from "../rest-route.ts";
import { agentList } from "../schemas/console.ts";

const listAgents = defineRoute({
  method: "GET",
  path: "/api/agents",
  right: "read",
  summary: "Coding agents on this machine: version, hook, what they can do, their holes",
  answers: { 200: agentList },
  async handle(_request, { agents }) {
    if (agents === undefined) return problem("not_found", "This server does not look for agents.");
    return json<AgentList>({ agents: [...(await agents())] });
  },
});

export const machineRoutes = [listAgents];
