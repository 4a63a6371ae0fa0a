/** How much there was over time, by how it was decided; dragging across it narrows the query. */
import type { Histogram } from "toolgate/contract";
import type { Query } from "../api/connection.ts";
import { useRead } from "../api/use-read.ts";
import { callSeries } from "../parts/call-series.ts";
import { Chart } from "../parts/chart.tsx";

export interface LedgerChartProps {
  readonly filter: Query;
  /** The list comes first: counting a million records takes a while, and what is read meanwhile waits for it. */
  readonly isAsked: boolean;
  readonly onZoom: (since: number, until: number) => void;
}

export function LedgerChart({ filter, isAsked, onZoom }: LedgerChartProps) {
  const { kinds: _kinds, ...rest } = filter;
  const { data, error } = useRead<Histogram>("api/ledger/histogram", {
    query: { ...rest, buckets: 60 },
    keepShown: true,
    enabled: isAsked,
  });
  // A gate without a histogram has the list all the same.
  if (error !== null || (data !== undefined && data.scanned === 0)) return null;
  return (
    <div className="above chart-strip">
      {data !== undefined && (
        <Chart
          label="Calls"
          kind="bars"
          height={96}
          times={data.buckets.map(({ at }) => at + data.bucketMs / 2)}
          series={callSeries(data)}
          onZoom={onZoom}
        />
      )}
    </div>
  );
}
