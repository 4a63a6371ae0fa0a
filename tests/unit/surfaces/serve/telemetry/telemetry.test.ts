import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type ContextManager, context, metrics, ROOT_CONTEXT, trace } from "@opentelemetry/api";
import { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-http";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { MeterProvider, PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics";
import { SimpleSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createGate, type Gate } from "../../../../../src/index.ts";
import { openTelemetry } from "../../../../../src/surfaces/serve/telemetry/open-telemetry.ts";
import { add, write } from "../../../../tools.ts";

// biome-ignore lint/suspicious/noExplicitAny: a test names the fields it looks at
type Loose = any;

/** Takes what an exporter sends by OTLP over HTTP, as a collector would. */
async function startCollector() {
  const received: { path: string; body: Loose }[] = [];
  const server: Server = createServer(async (request, response) => {
    let text = "";
    for await (const piece of request.setEncoding("utf8")) text += piece;
    received.push({ path: request.url ?? "", body: JSON.parse(text) });
    response.setHeader("content-type", "application/json").end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, received, close: () => server.close() };
}

const attributesOf = (item: Loose) =>
  Object.fromEntries(item.attributes.map(({ key, value }: Loose) => [key, Object.values(value)[0]]));

describe("telemetry", () => {
  let collector: Awaited<ReturnType<typeof startCollector>>;
  let tracing: TracerProvider;
  let metering: MeterProvider;
  let gate: Gate;
  beforeAll(async () => {
    collector = await startCollector();
    tracing = new TracerProvider({
      spanProcessors: [
        new SimpleSpanProcessor({ exporter: new OTLPTraceExporter({ url: `${collector.url}/v1/traces` }) }),
      ],
    });
    metering = new MeterProvider({
      readers: [
        new PeriodicExportingMetricReader({
          exporter: new OTLPMetricExporter({ url: `${collector.url}/v1/metrics` }),
          exportIntervalMillis: 600_000,
        }),
      ],
    });
    trace.setGlobalTracerProvider(tracing);
    metrics.setGlobalMeterProvider(metering);
    gate = await createGate({
      tools: [add, write],
      policies: [
        { name: "frozen", tools: "notes.write", action: "deny", reason: "because of the-secret-path" },
      ],
    });
  });
  afterAll(async () => {
    await gate.close();
    await tracing.shutdown();
    await metering.shutdown();
    trace.disable();
    metrics.disable();
    collector.close();
  });

  it("is off unless it is switched on: nobody even listens", async () => {
    for (const value of [undefined, "", "0", "off"])
      expect(await openTelemetry({ env: { TOOLGATE_TELEMETRY: value }, version: "1" })).toBeUndefined();
    expect(gate.events.has("call-start")).toBe(false);
    await gate.dispatch({ tool: "math.add", input: { a: 1, b: 2 } });
    await tracing.forceFlush();
    expect(collector.received).toEqual([]);
  });

  it("refuses a switch that is neither on nor off", async () => {
    const env = { TOOLGATE_TELEMETRY: "https://collector.example" };
    await expect(openTelemetry({ env, version: "1" })).rejects.toThrow('"on" or "off"');
  });

  it("sends a span and a measurement per call by the GenAI conventions, and nothing of its content", async () => {
    const watch = await openTelemetry({ env: { TOOLGATE_TELEMETRY: "on" }, version: "1.2.3" });
    const stop = watch?.(gate);
    await gate.dispatch({ tool: "math_add", input: { a: 40_404, b: 2 }, sessionId: "talk" });
    await gate.dispatch({ tool: "notes.write", input: { path: "the-secret-path" } });
    await gate.dispatch({ tool: "made-up-by-a-caller", input: {} });
    await tracing.forceFlush();
    await metering.forceFlush();
    stop?.();
    expect(gate.events.has("call-end")).toBe(false);

    const spans = collector.received
      .filter(({ path }) => path === "/v1/traces")
      .flatMap(({ body }) => body.resourceSpans)
      .flatMap(({ scopeSpans }: Loose) => scopeSpans)
      .flatMap((scoped: Loose) => scoped.spans.map((span: Loose) => ({ ...span, scope: scoped.scope })));
    expect(spans.map(({ name }) => name)).toEqual([
      "execute_tool math.add",
      "execute_tool notes.write",
      "execute_tool unknown",
    ]);
    const [ok, denied, unknown] = spans;
    expect(ok.scope).toMatchObject({ name: "toolgate", version: "1.2.3" });
    expect(attributesOf(ok)).toMatchObject({
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "math.add",
      "gen_ai.tool.type": "function",
      "gen_ai.conversation.id": "talk",
      "toolgate.category": "custom",
    });
    expect(attributesOf(denied)).toMatchObject({
      "error.type": "policy_denied",
      "toolgate.stage": "permit",
      "toolgate.rule": "policy frozen",
    });
    expect(denied.status).toEqual({ code: 2 });
    expect(attributesOf(unknown)).toMatchObject({ "error.type": "unknown_tool" });

    const measured = collector.received
      .filter(({ path }) => path === "/v1/metrics")
      .flatMap(({ body }) => body.resourceMetrics[0].scopeMetrics)
      .flatMap(({ metrics: list }: Loose) => list)
      .find(({ name }: Loose) => name === "gen_ai.execute_tool.duration");
    expect(measured.unit).toBe("s");
    expect(measured.histogram.dataPoints).toHaveLength(3);

    const everything = JSON.stringify(collector.received);
    expect(everything).not.toContain("40404");
    expect(everything).not.toContain("the-secret-path");
    expect(everything).not.toContain("made-up-by-a-caller");
  });

  it("puts a call into the trace of whoever made it", async () => {
    // What an SDK's context manager does: whoever asks is told what is active.
    const parent = tracing.getTracer("test").startSpan("a request");
    const active = trace.setSpan(ROOT_CONTEXT, parent);
    const manager: ContextManager = {
      active: () => active,
      with: (_context, run, self, ...args) => run.call(self as ThisParameterType<typeof run>, ...args),
      bind: (_context, target) => target,
      enable: () => manager,
      disable: () => manager,
    };
    context.setGlobalContextManager(manager);
    const watch = await openTelemetry({ env: { TOOLGATE_TELEMETRY: "on" }, version: "1" });
    const stop = watch?.(gate);
    const before = collector.received.length;
    await gate.dispatch({ tool: "math.add", input: { a: 1, b: 1 } });
    await tracing.forceFlush();
    stop?.();
    context.disable();
    const [span] = collector.received.slice(before)[0]?.body.resourceSpans[0].scopeSpans[0].spans ?? [];
    expect(span.parentSpanId).toBe(parent.spanContext().spanId);
  });
});
