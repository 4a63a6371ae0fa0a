/** Takes the body as the route wants it: none, an optional one, or one that fits the schema. */
import type { IncomingMessage } from "node:http";
import { isJsonObject, type Json } from "../../core/input/json.ts";
import type { Exchange } from "./exchange.ts";
import type { PreparedRoute } from "./prepare-route.ts";
import { type ProblemAnswer, problem } from "./problem.ts";
import { type BodyReading, type BodyResult, checkBodyHeaders, hasBody, readBody } from "./read-body.ts";

export async function takeBody(
  incoming: IncomingMessage,
  exchange: Exchange,
  { route, validateBody }: PreparedRoute,
  reading: BodyReading,
): Promise<BodyResult> {
  const leftOut = validateBody === undefined || route.bodyOptional === true ? noBody : refuse(bodyNeeded);
  if (!hasBody(incoming)) {
    exchange.bodyIsRead = true;
    return leftOut;
  }
  if (validateBody === undefined && route.method !== "POST")
    return refuse(problem("bad_request", "This route takes no body."));
  const wrong = checkBodyHeaders(incoming, reading.maxBytes);
  if (wrong !== undefined) return refuse(wrong);
  const body = await readBody(incoming, exchange.response, reading);
  exchange.bodyIsRead = body.ok || incoming.complete;
  if (!body.ok) return body;
  if (body.value === undefined) return leftOut;
  // Many clients send an empty object with every POST.
  if (validateBody === undefined)
    return isEmptyObject(body.value)
      ? noBody
      : refuse(problem("bad_request", "This route takes no body, or an empty object."));
  const checked = validateBody(body.value);
  if (checked.ok) return body;
  const detail = checked.issues.map(({ message }) => message).join("; ");
  return refuse(
    problem("invalid_body", `The body does not have the right form: ${detail}.`, { issues: checked.issues }),
  );
}

const noBody: BodyResult = { ok: true, text: "", value: undefined };

const bodyNeeded = problem("bad_request", "This route needs a body: a JSON value.");

function refuse(answer: ProblemAnswer): BodyResult {
  return { ok: false, problem: answer };
}

function isEmptyObject(value: Json): boolean {
  return isJsonObject(value) && Object.keys(value).length === 0;
}
