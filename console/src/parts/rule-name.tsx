/** Which rule it was, and where it is written. */
import type { RuleRef } from "toolgate/contract";
import { Shown } from "./shown.tsx";

const words: Readonly<Record<string, string>> = {
  policy: "policy",
  route: "route",
  limit: "limit",
  hook: "hook",
  grant: "lasting approval",
  default: "default",
};

export function RuleName({ rule }: { readonly rule: RuleRef }) {
  const { kind, name, source } = rule;
  return (
    <span className="rule-name">
      {words[kind] ?? kind}{" "}
      <span className="strong">
        <Shown line text={name} />
      </span>
      {source !== undefined && <Place {...source} />}
    </span>
  );
}

/** `toolgate.yaml:31`, whole on hover. */
export function Place({ file, line }: { readonly file: string; readonly line?: number | undefined }) {
  const name = file.split("/").slice(-2).join("/");
  const at = line === undefined ? "" : `:${line}`;
  return (
    <span className="place" title={`${file}${at}`}>
      <Shown line text={`${name}${at}`} />
    </span>
  );
}
