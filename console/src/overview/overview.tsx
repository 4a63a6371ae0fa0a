/** How the gate stands: what is broken first, then what was called, refused and asked in the last day. */

import { useMemo } from "react";
import type { Histogram, Questions, Refusals, Status } from "toolgate/contract";
import { useConsole } from "../api/console-context.tsx";
import { useRead } from "../api/use-read.ts";
import { navigate, useFilters } from "../app/location.ts";
import { callSeries } from "../parts/call-series.ts";
import { Chart } from "../parts/chart.tsx";
import { Chips } from "../parts/chips.tsx";
import { count, duration } from "../parts/numbers.ts";
import { Page } from "../parts/split.tsx";
import { Empty, Failure, Read } from "../parts/states.tsx";
import { Ago } from "../parts/time.tsx";
import { Broken } from "./broken.tsx";
import { RefusalBars } from "./refusal-bars.tsx";

const spans = [
  ["1h", "1 hour", 3_600_000],
  ["24h", "24 hours", 86_400_000],
  ["7d", "7 days", 604_800_000],
] as const;
const everyMs = 30_000;

export function Overview() {
  const { connection } = useConsole();
  const [filters, setFilters] = useFilters();
  const span = spans.find(([id]) => id === filters.get("span")) ?? spans[1];
  // A moment that moves on by itself only with the span: the chart is read again by the clock below.
  const since = useMemo(
    () => Math.floor((connection.clock.now() - span[2]) / 60_000) * 60_000,
    [connection, span],
  );
  const status = useRead<Status>("api/status", { everyMs });
  const calls = useRead<Histogram>("api/ledger/histogram", {
    query: { since: String(since), buckets: 48 },
    everyMs,
    keepShown: true,
  });
  const refusals = useRead<Refusals>("api/ledger/refusals", {
    query: { since: String(since) },
    everyMs,
    keepShown: true,
  });
  const questions = useRead<Questions>("api/approvals/stats", { everyMs });
  const zoom = (from: number, to: number) =>
    navigate(`/ledger?q=${encodeURIComponent(`since:${Math.floor(from)} until:${Math.ceil(to)}`)}`);
  return (
    <Page
      title="Overview"
      tools={
        <Chips
          label="Of the last"
          value={span[0]}
          onChange={(next) => next !== "" && setFilters({ span: next })}
          options={spans.map(([id, name]) => [id, name] as const)}
        />
      }
    >
      <Read of={status} rows={2}>
        {(now) => <Broken status={now} />}
      </Read>
      <section className="figures-large" aria-label="Figures">
        <Figure name="calls" value={total(calls.data)} />
        <Figure name="refused" value={calls.data?.buckets.reduce((sum, { deny }) => sum + deny, 0)} />
        <Figure
          name="questions open"
          value={questions.data?.open ?? status.data?.approvalsWaiting}
          href="#/inbox"
        />
        <Figure
          name="answered in 7 days"
          value={questions.data && questions.data.approved + questions.data.denied}
        />
        <Figure
          name="median time to answer"
          text={questions.data?.medianAnswerMs === undefined ? "–" : duration(questions.data.medianAnswerMs)}
        />
        <Figure name="tools" value={status.data?.tools} href="#/tools" />
      </section>
      {calls.error !== null && <Failure error={calls.error} />}
      {calls.data !== undefined &&
        (total(calls.data) === 0 ? (
          <Empty command="toolgate install claude-code">
            No call was made in this time. Let an agent ask the gate.
          </Empty>
        ) : (
          <>
            <Chart
              label="Calls"
              kind="bars"
              height={180}
              times={calls.data.buckets.map(({ at }) => at + (calls.data?.bucketMs ?? 0) / 2)}
              series={callSeries(calls.data)}
              onZoom={zoom}
            />
            <div className="two">
              <Chart
                label="Time of a call"
                kind="lines"
                height={160}
                unit={duration}
                times={calls.data.buckets.map(({ at }) => at)}
                series={[
                  {
                    name: "95 %",
                    colour: "--asked",
                    values: calls.data.buckets.map(({ p95Ms }) => p95Ms ?? null),
                  },
                  {
                    name: "median",
                    colour: "--accent",
                    values: calls.data.buckets.map(({ p50Ms }) => p50Ms ?? null),
                  },
                ]}
              />
              {refusals.data !== undefined && <RefusalBars refusals={refusals.data} />}
            </div>
          </>
        ))}
      {status.data !== undefined && (
        <p className="quiet small">
          toolgate {status.data.version}, started <Ago at={status.data.startedAt} />, rules version{" "}
          {status.data.rulesVersion}
        </p>
      )}
    </Page>
  );
}

function Figure({
  name,
  value,
  text,
  href,
}: {
  readonly name: string;
  readonly value?: number | undefined;
  readonly text?: string;
  readonly href?: string;
}) {
  const shown = text ?? (value === undefined ? "–" : count(value));
  return (
    <p className="figure">
      <span className="value">{href === undefined ? shown : <a href={href}>{shown}</a>}</span>
      <span className="quiet small">{name}</span>
    </p>
  );
}

function total(histogram: Histogram | undefined): number | undefined {
  return histogram?.buckets.reduce(
    (sum, { allow, ask, deny, abstain }) => sum + allow + ask + deny + abstain,
    0,
  );
}
