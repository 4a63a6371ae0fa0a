/** For a person who decides: what a call that waits would do, what came before it, and how the like was answered. */
import { defined } from "../../../core/input/defined.ts";
import type { Json } from "../../../core/input/json.ts";
import { json } from "../../http/answer.ts";
import type { ApprovalPreview, CallPreview } from "../contract.ts";
import { cleanInput } from "../preview/clean-input.ts";
import { lastCalls, likeAnswers } from "../preview/past.ts";
import { previewCall } from "../preview/preview-call.ts";
import { defineGateRoute, defineStoreRoute } from "../rest-route.ts";
import { approvalPreview, callPreview, previewBody } from "../schemas/preview.ts";
import { noApproval } from "./approvals.ts";

const previewApproval = defineStoreRoute({
  method: "GET",
  path: "/api/approvals/:id/preview",
  right: ["read", "approve"],
  summary: "What a call that waits would do, and what came before",
  description:
    "Made of the call itself: the parts of a command line, files as they are now and as they would be, without secrets. What is in files is shown to those who may approve, and only below the workspace.",
  params: { id: "The whole id." },
  answers: { 200: approvalPreview },
  async handle({ params: { id }, holder, signal }, { gate, store, clock }) {
    const found = (await store.approvals.find(id)).find(({ request }) => request.id === id);
    if (found === undefined) return noApproval(id);
    const { request, state } = found;
    const { toolId: tool, input, project, agent, createdAt, expiresAt, reason, rule } = request;
    const call = await previewCall(gate, {
      tool,
      input,
      agentTool: agent?.tool,
      roots: [project],
      cwd: cwdOf(input) ?? project,
      showContents: holder.rights.has("approve"),
      askedAt: createdAt,
      clean: store.redactText,
      signal,
    });
    const program = call.shell?.commands[0]?.argv[0];
    const [calls, like] = await Promise.all([
      lastCalls(store, request),
      likeAnswers(store, request, program),
    ]);
    const asked = { id, state, createdAt, expiresAt, reason, rule, serverTime: clock.now() };
    return json<ApprovalPreview>(defined({ ...asked, call, lastCalls: calls, like }));
  },
});

/** An agent's shell says where it works. */
function cwdOf({ cwd }: Readonly<Record<string, unknown>>): string | undefined {
  return typeof cwd === "string" && cwd.startsWith("/") ? cwd : undefined;
}

const previewAny = defineGateRoute({
  method: "POST",
  path: "/api/explain/preview",
  right: ["call", "read"],
  summary: "What any call would do, taken apart; nothing runs",
  description:
    "Without secrets, like a question. Which files it would change, never what is in them: no call stands behind it that is recorded.",
  body: previewBody,
  answers: { 200: callPreview },
  async handle({ body, signal }, { gate, store }) {
    const { tool } = body;
    const input = cleanInput(body.input as Json, store?.redactText);
    return json<CallPreview>(await previewCall(gate, { tool, input, showContents: false, signal }));
  },
});

export const previewRoutes = [previewApproval];
export const explainPreviewRoutes = [previewAny];
