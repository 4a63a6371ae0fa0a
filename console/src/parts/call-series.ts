/** The buckets of a histogram as bars: what stands out lies on the ground. */
import type { Histogram } from "toolgate/contract";
import type { Series } from "./chart.tsx";

export function callSeries({ buckets }: Histogram): readonly Series[] {
  return [
    {
      name: "allowed",
      colour: "--bar-quiet",
      values: buckets.map(({ allow, abstain, failed }) => allow + abstain - failed),
    },
    { name: "asked", colour: "--asked", values: buckets.map(({ ask }) => ask) },
    { name: "failed", colour: "--edge", values: buckets.map(({ failed, unknown }) => failed + unknown) },
    { name: "refused", colour: "--refused", values: buckets.map(({ deny }) => deny) },
  ];
}
