/** A table that scrolls by itself where the screen is narrow. */
import type { ReactNode } from "react";

export interface TableProps {
  /** Of each column; one that begins with `#` holds numbers. */
  readonly heads: readonly string[];
  /** Those of them that a phone has no room for; their cells have the class `only-wide`, too. */
  readonly wide?: readonly string[];
  /** What the buttons of the last column do, for those who cannot see it. */
  readonly action?: string;
  /** Its rows. */
  readonly children: ReactNode;
}

export function Table({ heads, wide = [], action, children }: TableProps) {
  return (
    <div className="wide">
      <table className="table">
        <thead>
          <tr>
            {heads.map((head) => (
              <th
                key={head}
                className={wide.includes(head) ? "only-wide" : head.startsWith("#") ? "number" : undefined}
              >
                {head.replace(/^#/, "")}
              </th>
            ))}
            {action !== undefined && (
              <th>
                <span className="unseen-word">{action}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
