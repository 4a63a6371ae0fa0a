/** The rules in force, by the file they are written in, with how often each was met; and a box that explains any call. */
import type { RuleHits } from "toolgate/contract";
import { useRead } from "../api/use-read.ts";
import { useFilters, useSelect } from "../app/location.ts";
import type { ViewProps } from "../app/views.ts";
import { Chips } from "../parts/chips.tsx";
import { count } from "../parts/numbers.ts";
import { Rows } from "../parts/rows.tsx";
import { SearchBox } from "../parts/search-box.tsx";
import { Shown } from "../parts/shown.tsx";
import { Split } from "../parts/split.tsx";
import { Empty, Read } from "../parts/states.tsx";
import { ExplainBox } from "./explain-box.tsx";
import { RuleDetail } from "./rule-detail.tsx";
import { RuleTests } from "./rule-tests.tsx";
import { type Rule, useRules } from "./use-rules.ts";

const explainId = "~explain";
const testsId = "~tests";

export function Rules({ selected }: ViewProps) {
  const rules = useRules();
  const hits = useRead<RuleHits>("api/rules/hits").data;
  const [filters, setFilters] = useFilters();
  const select = useSelect("rules");
  const [text, kind, only] = [filters.get("q") ?? "", filters.get("kind") ?? "", filters.get("only") ?? ""];
  const isNever = ({ kind: of, name }: Rule) =>
    hits?.neverMatched.some((one) => one.kind === of && one.name === name) === true;
  const rows = (rules.data ?? []).filter(
    (rule) =>
      (kind === "" || rule.kind === kind) &&
      (only !== "never" || isNever(rule)) &&
      JSON.stringify(rule).toLowerCase().includes(text.toLowerCase()),
  );
  const shown = rules.data?.find(({ id }) => id === selected);
  const hitsOf = (rule: Rule) =>
    hits?.hits.find((one) => one.rule.kind === rule.kind && one.rule.name === rule.name);
  return (
    <Split
      title="Rules"
      isOpen={selected !== undefined}
      onBack={() => select(undefined)}
      hint="Choose a rule, or ask what a call would meet."
      tools={
        <>
          <SearchBox
            label="Search the rules"
            placeholder="Name, tool, text"
            value={text}
            onChange={(q) => setFilters({ q })}
          />
          <Chips
            label="Kind of rule"
            value={kind}
            onChange={(next) => setFilters({ kind: next })}
            options={[
              ["policy", "policies"],
              ["route", "routes"],
              ["limit", "limits"],
              ["hook", "hooks"],
            ]}
          />
          {hits !== undefined && (
            <Chips
              label="Hits"
              value={only}
              onChange={(next) => setFilters({ only: next })}
              options={[["never", "never met"]]}
            />
          )}
          <span className="actions end">
            <button type="button" aria-pressed={selected === explainId} onClick={() => select(explainId)}>
              Explain a call
            </button>
            <button type="button" aria-pressed={selected === testsId} onClick={() => select(testsId)}>
              Run tests
            </button>
          </span>
        </>
      }
      list={
        <Read of={rules}>
          {() =>
            rows.length === 0 ? (
              <Empty command="toolgate init">No rule fits.</Empty>
            ) : (
              <Rows label="Rules" rows={rows} keyOf={({ id }) => id} selected={selected} onSelect={select}>
                {(rule) => <RuleRow rule={rule} many={hitsOf(rule)?.count} isNever={isNever(rule)} />}
              </Rows>
            )
          }
        </Read>
      }
      detail={
        selected === explainId ? (
          <ExplainBox />
        ) : selected === testsId ? (
          <RuleTests />
        ) : (
          shown !== undefined && (
            <RuleDetail key={shown.id} rule={shown} hits={hitsOf(shown)} isNever={isNever(shown)} />
          )
        )
      }
    />
  );
}

function RuleRow({
  rule,
  many,
  isNever,
}: {
  readonly rule: Rule;
  readonly many: number | undefined;
  readonly isNever: boolean;
}) {
  return (
    <>
      <span className="line">
        <span className="cut strong grow">
          <Shown line text={rule.name} />
        </span>
        <span className="small quiet">{rule.says}</span>
        {many !== undefined && <span className="number small">{count(many)}</span>}
        {isNever && <span className="small quiet">never met</span>}
      </span>
      <span className="line small quiet">
        <span className="cut grow mono">
          <Shown line text={rule.tools.join(", ")} />
        </span>
        <span className="cut mono">
          <Shown line text={rule.place} />
        </span>
      </span>
    </>
  );
}
