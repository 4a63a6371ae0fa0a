/** Traces and metrics by OpenTelemetry. Its library is loaded only where the operator wants it. */
import { messageOf, ToolgateError } from "../../../core/call/errors.ts";
import type { Gate } from "../../../gate/gate.ts";
import { watchCalls } from "./watch-calls.ts";

/** Told of a gate, it traces the gate's calls. Returns how to stop. */
export type GateWatch = (gate: Gate) => () => void;

export interface TelemetryRequest {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly version: string;
}

/** The switch. The SDK learns by the standard OTEL_ names where to send the data. */
const switchName = "TOOLGATE_TELEMETRY";

/** Undefined: telemetry is off. Throws if the library is missing. */
export async function openTelemetry(request: TelemetryRequest): Promise<GateWatch | undefined> {
  const { env, version } = request;
  const wanted = env[switchName] ?? "";
  if (["", "0", "false", "off"].includes(wanted)) return undefined;
  if (!["1", "true", "on"].includes(wanted))
    throw new ToolgateError(`${switchName} is "on" or "off", not ${JSON.stringify(wanted)}.`);
  const { context, metrics, trace } = await loadApi();
  const sinks = {
    tracer: trace.getTracer("toolgate", version),
    meter: metrics.getMeter("toolgate", version),
    activeContext: () => context.active(),
  };
  return (gate) => watchCalls(gate, sinks);
}

async function loadApi(): Promise<typeof import("@opentelemetry/api")> {
  try {
    return await import("@opentelemetry/api");
  } catch (error) {
    throw new ToolgateError(
      `${switchName} is on, but @opentelemetry/api is not installed beside toolgate (${messageOf(error)}). Install it with an SDK: docs/rest.md, "OpenTelemetry".`,
    );
  }
}
