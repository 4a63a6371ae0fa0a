/** A table that scrolls by itself where the screen is narrow. */
import type { ReactNode } from "react";

export interface TableProps {
  /** Of each column; one that begins with `#` holds numbers. */
  readonly heads: readonly string[];
  /** What the buttons of the last column do, for those who cannot see it. */
  readonly action?: string;
  /** Its rows. */
  readonly children: ReactNode;
}

export function Table({ heads, action, children }: TableProps) {
  return (
    <div className="wide">
      <table className="table">
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} className={head.startsWith("#") ? "number" : undefined}>
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
