/** Refusals by rule, the most frequent first; a click shows them in the ledger. */
import type { Refusals } from "toolgate/contract";
import { Link } from "wouter";
import { count } from "../parts/numbers.ts";
import { Shown } from "../parts/shown.tsx";

export function RefusalBars({ refusals }: { readonly refusals: Refusals }) {
  const rows = refusals.rules.slice(0, 8);
  const most = Math.max(1, ...rows.map((row) => row.count));
  return (
    <figure className="chart-figure">
      <figcaption>
        <span className="strong">Refusals by rule</span>
      </figcaption>
      {rows.length === 0 && <p className="quiet">Nothing was refused.</p>}
      <ol className="bars">
        {rows.map(({ rule, code, count: many }) => (
          <li key={`${rule?.kind ?? ""} ${rule?.name ?? ""} ${code}`}>
            <Link
              href={`/ledger?q=${encodeURIComponent(rule === undefined ? `code:${code}` : `verdict:deny code:${code} text:"${rule.name}"`)}`}
              className="cut"
            >
              <Shown line text={rule?.name ?? code} />
            </Link>
            <span className="bar" style={{ width: `${(many / most) * 100}%` }} />
            <span className="number">{count(many)}</span>
          </li>
        ))}
      </ol>
    </figure>
  );
}
