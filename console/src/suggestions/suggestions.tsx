/** Rules that people's answers speak for: what they would have saved, and each with its proof and its text to copy. */
import type { ShadowTally, Suggestion, SuggestionReport } from "toolgate/contract";
import { useRead } from "../api/use-read.ts";
import { useFilters, useSelect } from "../app/location.ts";
import type { ViewProps } from "../app/views.ts";
import { Chips } from "../parts/chips.tsx";
import { count, plural } from "../parts/numbers.ts";
import { Rows } from "../parts/rows.tsx";
import { Shown } from "../parts/shown.tsx";
import { Split } from "../parts/split.tsx";
import { Empty, Read } from "../parts/states.tsx";
import { SuggestionDetail } from "./suggestion-detail.tsx";

export function Suggestions({ selected }: ViewProps) {
  const [filters, setFilters] = useFilters();
  const kind = filters.get("for") ?? "";
  const reading = useRead<SuggestionReport>("api/suggestions");
  const select = useSelect("suggestions");
  const all = reading.data?.suggestions ?? [];
  const rows = all.filter((one) => kind === "" || one.kind === kind);
  const shown = all.find(({ id }) => id === selected);
  return (
    <Split
      title="Suggestions"
      isOpen={shown !== undefined}
      onBack={() => select(undefined)}
      hint="Choose a suggestion to see what speaks for it. Nothing is applied here: rules are files, and you edit them."
      tools={
        <Chips
          label="Kind of suggestion"
          value={kind}
          onChange={(next) => setFilters({ for: next })}
          options={[
            ["allow", "allow"],
            ["deny", "deny"],
            ["route", "route"],
            ["limit", "limit"],
            ["cleanup", "clean up"],
          ]}
        />
      }
      above={
        reading.data !== undefined && (
          <div className="above summary">
            <p className="strong">{headline(reading.data)}</p>
            <Shadows of={reading.data.shadows} />
          </div>
        )
      }
      list={
        <Read of={reading}>
          {(report) =>
            rows.length === 0 ? (
              <Empty command="toolgate suggest --days 90">{whyNone(report)}</Empty>
            ) : (
              <Rows
                label="Suggestions"
                rows={rows}
                keyOf={({ id }) => id}
                selected={selected}
                onSelect={select}
              >
                {(one) => <SuggestionRow one={one} />}
              </Rows>
            )
          }
        </Read>
      }
      detail={shown !== undefined && <SuggestionDetail key={shown.id} suggestion={shown} />}
    />
  );
}

/** "12 rules would have saved 214 of 391 questions" */
function headline({ suggestions, savedQuestions, questions, complete }: SuggestionReport): string {
  const ready = suggestions.filter(({ state, kind }) => state === "ready" && kind === "allow").length;
  const all = complete ? "" : " Only the newest calls were looked at; toolgate suggest looks at all.";
  if (questions === 0) return `Nobody was asked anything in the last 30 days.${all}`;
  if (ready === 0)
    return `${plural(questions, "question")} in the last 30 days, and no rule is proposed yet.${all}`;
  return `${plural(ready, "rule")} would have saved ${count(savedQuestions)} of ${plural(questions, "question")} in the last 30 days.${all}`;
}

function whyNone({ answered }: SuggestionReport): string {
  return answered === 0
    ? "Suggestions are made of answers of people. There are none yet."
    : "No rule is proposed. A rule needs answers of several sessions and days that all agree.";
}

function SuggestionRow({ one }: { readonly one: Suggestion }) {
  const isReady = one.state === "ready";
  return (
    <>
      <span className="line">
        <span className="cut strong grow">
          <Shown line text={one.title} />
        </span>
        <span className="small quiet">{one.kind}</span>
        <span className="number small">{count(one.savedQuestions)}</span>
      </span>
      <span className="line small quiet">
        <span className="cut grow">
          {one.evidence.approved} approved, {one.evidence.denied} denied,{" "}
          {plural(one.evidence.people, "person", "people")}, {plural(one.evidence.days, "day")}
        </span>
        {!isReady && <span>not enough yet</span>}
      </span>
    </>
  );
}

/** "would have answered 58, you agreed 58" */
function Shadows({ of }: { readonly of: readonly ShadowTally[] }) {
  if (of.length === 0) return null;
  return (
    <section aria-label="Policies in shadow mode">
      <h2>In shadow mode</h2>
      <ul>
        {of.map((one) => (
          <li key={one.rule}>
            <strong>
              <Shown line text={one.rule} />
            </strong>{" "}
            {shadowText(one)}
          </li>
        ))}
      </ul>
    </section>
  );
}

function shadowText({ answered, agreed, disagreed, stopped, stoppedApproved, asked }: ShadowTally): string {
  const parts = [
    answered > 0 &&
      `would have answered ${answered}, people agreed ${agreed}${disagreed > 0 ? `, did not ${disagreed}` : ""}`,
    stopped > 0 && `would have stopped ${stopped}, people had approved ${stoppedApproved}`,
    asked > 0 && `would have asked about ${asked}`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? "has met no call yet" : parts.join("; ");
}
