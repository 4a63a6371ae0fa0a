/** A rule as text to copy. Rules stay files: below stands what to do with it. */
import type { ReactNode } from "react";
import { Copy } from "./copy.tsx";
import { JsonText } from "./json-text.tsx";

export function RuleText({ yaml, children }: { readonly yaml: string; readonly children: ReactNode }) {
  return (
    <div className="part">
      <JsonText label="The rule" value={yaml} />
      <div className="actions">
        <Copy text={yaml} label="Copy as YAML" />
      </div>
      <p className="quiet small">{children}</p>
    </div>
  );
}
