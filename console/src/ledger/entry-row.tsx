/** One record in the list. */
import type { LedgerEntry } from "toolgate/contract";
import { duration } from "../parts/numbers.ts";
import { Shown } from "../parts/shown.tsx";
import { Ago } from "../parts/time.tsx";
import { Verdict } from "../parts/verdict.tsx";
import { factsOf } from "./entry.ts";

export function EntryRow({ entry }: { readonly entry: LedgerEntry }) {
  const { verdict, caller, summary, durationMs, rule } = factsOf(entry);
  return (
    <>
      <span className="line">
        <span className="mono entry-tool">
          <Shown line text={entry.tool ?? entry.kind} />
        </span>
        <span className="cut mono grow quiet">
          <Shown line text={summary.slice(0, 200)} />
        </span>
        <Verdict of={verdict} />
      </span>
      <span className="line small quiet">
        <span className="cut grow">
          <Shown line text={[caller, rule?.name].filter(Boolean).join(" · ")} />
        </span>
        {durationMs !== undefined && <span className="number">{duration(durationMs)}</span>}
        <Ago at={entry.at} />
      </span>
    </>
  );
}
