/** One span and one measurement per call, by the GenAI conventions; no input and no result. */
import type { Attributes, Context, Meter, Span, Tracer } from "@opentelemetry/api";
import type { Outcome } from "../../../core/call/outcome.ts";
import type { Gate } from "../../../gate/gate.ts";

export interface TelemetrySinks {
  readonly tracer: Tracer;
  readonly meter: Meter;
  /** A call made inside a traced request becomes a part of it. */
  readonly activeContext: () => Context;
}

/** `SpanKind.INTERNAL` and `SpanStatusCode.ERROR`; their module is loaded only where it is used. */
const internalSpan = 0;
const errorStatus = 2;

/** Returns how to stop. */
export function watchCalls(gate: Gate, { tracer, meter, activeContext }: TelemetrySinks): () => void {
  const spans = new Map<string, Span>();
  const duration = meter.createHistogram("gen_ai.execute_tool.duration", {
    unit: "s",
    description: "Time of a tool call, waiting included.",
    advice: {
      explicitBucketBoundaries: [
        0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92,
      ],
    },
  });
  /** Names that nobody registered are whatever a caller made up. */
  const nameOf = (tool: string) => gate.tools.get(tool)?.id ?? "unknown";

  const stops = [
    gate.events.on("call-start", ({ callId, tool, sessionId }) => {
      const name = nameOf(tool);
      const attributes: Attributes = {
        ...toolAttributes(name),
        "gen_ai.tool.call.id": callId,
        ...(sessionId !== undefined && { "gen_ai.conversation.id": sessionId }),
      };
      spans.set(
        callId,
        tracer.startSpan(`execute_tool ${name}`, { kind: internalSpan, attributes }, activeContext()),
      );
    }),
    gate.events.on("call-end", ({ outcome }) => {
      const name = nameOf(outcome.tool);
      const how = endAttributes(outcome);
      const category = { "toolgate.category": gate.tools.get(outcome.tool)?.category ?? "unknown" };
      duration.record(outcome.durationMs / 1_000, {
        ...toolAttributes(name),
        ...category,
        ...errorType(outcome),
      });
      const span = spans.get(outcome.callId);
      if (span === undefined) return;
      spans.delete(outcome.callId);
      // A route, an alias or `tools.call` may have led to another tool.
      span.updateName(`execute_tool ${name}`);
      span.setAttributes({ ...toolAttributes(name), ...category, ...how });
      // Without a message: it may quote the input.
      if (!outcome.ok) span.setStatus({ code: errorStatus });
      span.end();
    }),
  ];
  return () => {
    for (const stop of stops) stop();
    for (const span of spans.values()) span.end();
    spans.clear();
  };
}

function toolAttributes(name: string): Attributes {
  return {
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": name,
    "gen_ai.tool.type": "function",
  };
}

function endAttributes(outcome: Outcome): Attributes {
  if (outcome.ok) return outcome.approval === undefined ? {} : { "toolgate.approval": outcome.approval.kind };
  const { stage, rule } = outcome.error;
  return {
    ...errorType(outcome),
    "toolgate.stage": stage,
    ...(rule && { "toolgate.rule": `${rule.kind} ${rule.name}` }),
  };
}

function errorType(outcome: Outcome): Attributes {
  return outcome.ok ? {} : { "error.type": outcome.error.code };
}
