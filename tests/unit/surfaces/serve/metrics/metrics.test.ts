import { describe, expect, it } from "vitest";
import { add } from "../../../../tools.ts";
import { useServer } from "../../http/api.ts";

describe("the metrics", () => {
  const { api } = useServer({ gate: { tools: [add] } });

  const lines = async () => (await api.get<string>("/metrics")).body.split("\n");

  it("count calls by category and outcome, and requests by route and status", async () => {
    await api.post("/api/tools/math.add/call", { input: { a: 1, b: 2 } });
    await api.post("/api/tools/math.add/call", { input: {} });
    const text = await lines();
    expect(text).toContain('toolgate_calls_total{category="custom",code="ok"} 1');
    expect(text).toContain('toolgate_calls_total{category="custom",code="invalid_input"} 1');
    expect(text).toContain('toolgate_call_duration_seconds_count{category="custom"} 2');
    expect(text).toContain(
      'toolgate_http_requests_total{method="POST",route="/api/tools/:name/call",status="200"} 2',
    );
    expect(text).toContain("toolgate_approvals_pending 0");
    expect(text).toContain("toolgate_event_clients 0");
    expect(text).toContain('toolgate_sessions{state="running"} 0');
    expect(text).toContain('toolgate_tools{source="library"} 1');
  });

  it("never grow with what callers make up: names, paths and methods", async () => {
    for (let number = 0; number < 20; number++) {
      await api.post(`/api/tools/made-up-${number}/call`, {});
      await api.get(`/nowhere/${number}`);
    }
    const text = (await lines()).join("\n");
    expect(text).toContain('toolgate_calls_total{category="unknown",code="unknown_tool"} 20');
    expect(text).toContain('toolgate_http_requests_total{method="other",route="none",status="404"} 20');
    expect(text).not.toContain("made-up");
    expect(text).not.toContain("nowhere");
  });

  it("are lines that Prometheus can read: each series under its own help and type, buckets that only grow", async () => {
    const text = await lines();
    const types = new Map<string, string>();
    const buckets = new Map<string, number>();
    for (const line of text.filter((one) => one !== "")) {
      const declared = /^# TYPE (\S+) (counter|gauge|histogram)$/.exec(line);
      if (declared) types.set(declared[1] ?? "", declared[2] ?? "");
      if (line.startsWith("#")) continue;
      const sample = /^([a-z_]+)(?:\{((?:[a-z]+="[^"\n]*",?)*)\})? (-?[\d.e+-]+)$/.exec(line);
      expect(sample, line).not.toBeNull();
      const [, name = "", labels = "", value] = sample ?? [];
      const family = name.replace(/_(?:bucket|sum|count)$/, "");
      expect(types.has(name) || types.get(family) === "histogram", line).toBe(true);
      if (!name.endsWith("_bucket")) continue;
      const series = name + labels.replace(/,?le="[^"]*"/, "");
      expect(Number(value), line).toBeGreaterThanOrEqual(buckets.get(series) ?? 0);
      buckets.set(series, Number(value));
    }
    expect(types.size).toBeGreaterThan(10);
  });

  it("are the same at both paths, and only for tokens that may read", async () => {
    expect((await api.get<string>("/api/metrics")).body).toContain("toolgate_calls_total");
    expect((await api.get("/metrics", { token: "token-call" })).status).toBe(403);
    expect((await api.get("/metrics", { token: "none" })).status).toBe(401);
  });
});
