/** Records a call that was refused before a gate saw it: no right, or a body that cannot be used. */
import type { ErrorCode } from "../../core/call/errors.ts";
import type { Ledger } from "../../core/ports/ports.ts";
import { type RefusedCall, refusedRecord } from "../hook/refused-record.ts";
import type { RequestProblemCode } from "../http/problem.ts";
import type { RefusedRequest } from "../http/route.ts";

export async function recordRefusedCall(
  { holder, problem: { problem } }: Pick<RefusedRequest<unknown>, "holder" | "problem">,
  call: Pick<RefusedCall, "surface" | "kind" | "tool">,
  { gate }: { readonly gate: { readonly ledger: Pick<Ledger, "close"> } },
): Promise<void> {
  const code = codes[problem.code as RequestProblemCode] ?? "bad_call";
  const caller = holder.caller.id;
  const record = refusedRecord({ ...call, caller, cwd: process.cwd(), code, message: problem.detail });
  await gate.ledger.close(record);
}

const codes: Partial<Record<RequestProblemCode, ErrorCode>> = {
  forbidden: "missing_capability",
  body_too_large: "input_too_large",
};
