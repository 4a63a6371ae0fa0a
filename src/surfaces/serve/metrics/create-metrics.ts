/** What the server counts. Labels come from closed lists: no caller can make the metrics long. */
import { activeStates } from "../../../core/ports/sessions.ts";
import type { Gate } from "../../../gate/gate.ts";
import type { Store } from "../../../open/open-store.ts";
import type { EventFeed } from "../../rest/events/event-feed.ts";
import type { ServerMetrics } from "../../rest/rest-route.ts";
import {
  Counter,
  type CounterSeries,
  Histogram,
  type HistogramSeries,
  keptUnder,
  renderGauge,
} from "./prometheus.ts";

export interface MetricsParts {
  readonly gate: Gate;
  readonly store: Pick<Store, "approvals" | "sessions">;
  readonly feed: Pick<EventFeed, "clients">;
  readonly version: string;
}

export interface Metrics extends ServerMetrics {
  /** Counts the calls of another gate, too. Returns how to stop. */
  watch(gate: Gate): () => void;
  /** Stops counting. */
  close(): void;
}

interface Series {
  readonly counter: CounterSeries;
  readonly histogram: HistogramSeries;
}

const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

export function createMetrics({ gate, store, feed, version }: MetricsParts): Metrics {
  const requests = new Counter("toolgate_http_requests_total", "HTTP requests answered.");
  const requestTime = new Histogram("toolgate_http_request_duration_seconds", "Time to answer.", seconds);
  const calls = new Counter("toolgate_calls_total", "Calls that ended, by how they ended.");
  const callTime = new Histogram(
    "toolgate_call_duration_seconds",
    "Time of a call, waiting included.",
    seconds,
  );
  let running = 0;
  /** By text that costs little to make: labels are only written out once. */
  const callSeries = new Map<string, Series>();
  const requestSeries = new Map<string, Series>();

  const watch = ({ events, tools }: Gate) => {
    const stops = [
      events.on("call-start", () => {
        running++;
      }),
      events.on("call-end", ({ outcome }) => {
        running = Math.max(0, running - 1);
        const category = tools.get(outcome.tool)?.category ?? "unknown";
        const code = outcome.ok ? "ok" : outcome.error.code;
        const series = keptUnder(callSeries, `${category} ${code}`, () => ({
          counter: calls.with({ category, code }),
          histogram: callTime.with({ category }),
        }));
        series.counter.value++;
        series.histogram.observe(outcome.durationMs / 1_000);
      }),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  };
  const stopOwn = watch(gate);

  return {
    watch,
    observeRequest({ method, route, status, durationMs }) {
      const series = keptUnder(
        requestSeries,
        `${status} ${route === undefined ? "" : method + route}`,
        () => {
          // A path or method that no route has is anything a stranger likes to send.
          const labels = route === undefined ? { method: "other", route: "none" } : { method, route };
          return {
            counter: requests.with({ ...labels, status: String(status) }),
            histogram: requestTime.with(labels),
          };
        },
      );
      series.counter.value++;
      series.histogram.observe(durationMs / 1_000);
    },
    async render() {
      const waiting = (await store.approvals.waiting()).length;
      const { sessions } = await store.sessions.list({ states: activeStates, limit: 500 });
      const inState = activeStates.map((state): [{ state: string }, number] => [
        { state },
        sessions.filter((one) => one.state === state).length,
      ]);
      return [
        calls.render(),
        callTime.render(),
        requests.render(),
        requestTime.render(),
        renderGauge("toolgate_calls_running", "Calls in flight.", [[{}, running]]),
        renderGauge("toolgate_approvals_pending", "Calls that wait for a person.", [[{}, waiting]]),
        renderGauge("toolgate_sessions", "Sessions of agents at work, at most 500 of them.", inState),
        renderGauge("toolgate_event_clients", "Clients that read events.", [[{}, feed.clients]]),
        renderGauge("toolgate_tools", "Registered tools.", toolCounts(gate)),
        renderGauge("toolgate_rules_version", "Changes whenever the rules do.", [[{}, gate.rulesVersion]]),
        renderGauge("toolgate_build_info", "The version that runs.", [[{ version }, 1]]),
        processMetrics(),
      ].join("");
    },
    close: stopOwn,
  };
}

function toolCounts(gate: Gate): [{ source: string }, number][] {
  const tools = gate.tools.list();
  return (["builtin", "plugin", "upstream", "library"] as const).map((kind) => [
    { source: kind },
    tools.filter(({ source }) => source.kind === kind).length,
  ]);
}

/** Under the names that dashboards know. */
function processMetrics(): string {
  const { user, system } = process.cpuUsage();
  const startedAt = Date.now() / 1_000 - process.uptime();
  return [
    renderGauge("process_cpu_seconds_total", "CPU time.", [[{}, (user + system) / 1e6]], "counter"),
    renderGauge("process_resident_memory_bytes", "Memory.", [[{}, process.memoryUsage.rss()]]),
    renderGauge("process_start_time_seconds", "Start, since the epoch.", [[{}, Math.round(startedAt)]]),
  ].join("");
}
