/** One rule as it is written, and what it did. Rules stay files: what one changes is shown as text to copy. */
import type { RuleHits } from "toolgate/contract";
import { Link } from "wouter";
import { plural } from "../parts/numbers.ts";
import { Place } from "../parts/rule-name.tsx";
import { RuleText } from "../parts/rule-text.tsx";
import { Shown } from "../parts/shown.tsx";
import { Ago } from "../parts/time.tsx";
import { toYaml } from "./to-yaml.ts";
import type { Rule } from "./use-rules.ts";

export interface RuleDetailProps {
  readonly rule: Rule;
  readonly hits: RuleHits["hits"][number] | undefined;
  readonly isNever: boolean;
}

const sections = { policy: "policies", route: "routes", limit: "limits", hook: "hooks" } as const;

export function RuleDetail({ rule, hits, isNever }: RuleDetailProps) {
  const { name, tier: _tier, source: _source, tests: _tests, ...rest } = rule.whole;
  const yaml = toYaml({ [sections[rule.kind]]: { [String(name)]: worthSaying(rest) } });
  return (
    <div className="detail">
      <div className="detail-head">
        <p className="quiet">
          {rule.kind}
          {rule.file !== undefined && <Place file={rule.file} line={rule.line} />}
        </p>
        <h2>
          <Shown line text={rule.name} />
        </h2>
      </div>
      {hits !== undefined && (
        <p>
          Met {plural(hits.count, "time")} in 30 days: {hits.allow} allowed, {hits.ask} asked, {hits.deny}{" "}
          refused. Last <Ago at={hits.lastAt} />.{" "}
          <Link href={`/ledger?q=${encodeURIComponent(`text:"${rule.name}"`)}`}>Show them</Link>
        </p>
      )}
      {isOver(rest) && <p>Its last day is over: it approves nothing any more.</p>}
      {isNever && <p className="quiet">No call met it in 30 days.</p>}
      <RuleText yaml={yaml}>
        To change it, edit{" "}
        {rule.file === undefined ? (
          "your configuration"
        ) : (
          <code>
            <Shown line text={rule.file} />
          </code>
        )}
        . The gate reads it again by itself.
      </RuleText>
    </div>
  );
}

/** `until` is a day by UTC, and it is the last. */
function isOver(rule: object): boolean {
  const until = "until" in rule ? Date.parse(`${rule.until}T24:00:00Z`) : Number.NaN;
  return until <= Date.now();
}

/** Without what the server fills in where nobody said anything. */
function worthSaying(rule: object): object {
  const isEmpty = (key: string, value: unknown) =>
    (Array.isArray(value) && value.length === 0) || (key === "priority" && value === 0);
  return Object.fromEntries(Object.entries(rule).filter(([key, value]) => !isEmpty(key, value)));
}
