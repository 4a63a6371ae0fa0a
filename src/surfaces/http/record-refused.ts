/** Keeps a record of a call that a request asked for and that was refused before any gate saw it: no right, a body that is none. */
import type { ErrorCode } from "../../core/call/errors.ts";
import { type RefusedCall, refusedRecord } from "../refused-record.ts";
import type { ServerParts } from "../serve/parts.ts";
import type { RequestProblemCode } from "./problem.ts";
import type { RefusedRequest } from "./route.ts";

export async function recordRefusedCall(
  { principal, problem: { problem } }: Pick<RefusedRequest<unknown>, "principal" | "problem">,
  call: Pick<RefusedCall, "surface" | "kind" | "tool">,
  { store }: ServerParts,
): Promise<void> {
  const code = codes[problem.code as RequestProblemCode] ?? "bad_call";
  const caller = principal.caller.id;
  const record = refusedRecord({ ...call, caller, cwd: process.cwd(), code, message: problem.detail });
  await store.ledger.close(record);
}

const codes: Partial<Record<RequestProblemCode, ErrorCode>> = {
  forbidden: "missing_capability",
  body_too_large: "input_too_large",
};
