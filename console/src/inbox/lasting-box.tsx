/** A yes that lasts: for whom, for what, for how long; and the same as a rule to copy, since rules are files. */
import { useState } from "react";
import type { AnswerBody, Approval, RankedScopes } from "toolgate/contract";
import { useRead } from "../api/use-read.ts";
import { Copy } from "../parts/copy.tsx";
import { JsonText } from "../parts/json-text.tsx";
import { plural } from "../parts/numbers.ts";
import { Shown } from "../parts/shown.tsx";

const hour = 3_600_000;
const spans = [
  ["1 hour", hour],
  ["1 day", 24 * hour],
  ["30 days", 720 * hour],
  ["no end", undefined],
] as const;

export interface LastingBoxProps {
  readonly approval: Approval;
  readonly onApprove: (body: AnswerBody) => void;
  readonly onClose: () => void;
}

export function LastingBox({ approval, onApprove, onClose }: LastingBoxProps) {
  const [scope, setScope] = useState<"session" | "project" | "user">("project");
  const [covers, setCovers] = useState<"input" | "tool">("input");
  const [span, setSpan] = useState(1);
  const expiresInMs = spans[span]?.[1];
  return (
    <div className="box part">
      <h2>Always approve</h2>
      <div className="fields">
        <div className="field">
          <label htmlFor="lasting-scope">Where</label>
          <select
            id="lasting-scope"
            value={scope}
            onChange={(event) => setScope(event.target.value as typeof scope)}
          >
            {approval.sessionId !== undefined && <option value="session">in this session</option>}
            <option value="project">in this project</option>
            <option value="user">everywhere, for this caller</option>
          </select>
        </div>
        <div className="field">
          <label htmlFor="lasting-covers">What</label>
          <select
            id="lasting-covers"
            value={covers}
            onChange={(event) => setCovers(event.target.value as typeof covers)}
          >
            <option value="input">exactly this input</option>
            <option value="tool">any input of {approval.tool}</option>
          </select>
        </div>
        <div className="field">
          <label htmlFor="lasting-span">How long</label>
          <select id="lasting-span" value={span} onChange={(event) => setSpan(Number(event.target.value))}>
            {spans.map(([name], index) => (
              <option key={name} value={index}>
                {name}
              </option>
            ))}
          </select>
        </div>
      </div>
      {covers === "tool" && (
        <p className="opaque">Whatever the agent asks of {approval.tool} will run, not only this.</p>
      )}
      <div className="actions">
        <button
          type="button"
          className="primary"
          onClick={() =>
            onApprove({
              decision: "approve",
              scope,
              covers,
              ...(expiresInMs !== undefined && { expiresInMs }),
            })
          }
        >
          Approve, and remember it
        </button>
        <button type="button" onClick={onClose}>
          Cancel
        </button>
      </div>
      <Scopes approval={approval} />
    </div>
  );
}

/** How far a rule could reach, the closest first, with what people said to the like. */
function Scopes({ approval }: Pick<LastingBoxProps, "approval">) {
  const { data } = useRead<RankedScopes>(`api/approvals/${approval.id}/scopes`);
  const scopes: RankedScopes["scopes"] = data?.scopes ?? [
    { scope: "exact", asked: 0, approved: 0, denied: 0 },
  ];
  return (
    <div className="part">
      <h3>As a rule in a file instead</h3>
      {scopes.map(({ scope, asked, approved, denied, suggestion }) => (
        <details key={scope}>
          <summary>
            {reach[scope]}: {asked === 0 ? "not asked before" : `asked ${plural(asked, "time")}`}
            {asked > 0 && `, approved ${approved}, denied ${denied}`}
            {suggestion?.state === "not-enough" && ", not enough yet"}
          </summary>
          {suggestion?.notes.map((note) => (
            <p key={note} className="opaque">
              <Shown text={note} />
            </p>
          ))}
          <JsonText label={`A rule for ${reach[scope]}`} value={suggestion?.yaml ?? ruleText(approval)} />
          <Copy text={suggestion?.yaml ?? ruleText(approval)} />
        </details>
      ))}
    </div>
  );
}

const reach = { exact: "this very call", shape: "calls of this shape", folder: "this folder" } as const;

function ruleText({ tool, input, title }: Approval): string {
  const quoted = (text: string) => JSON.stringify(text);
  const { command } = input;
  const condition =
    typeof command === "string"
      ? [`    conditions:`, `      - { type: command, operator: equals, value: ${quoted(command)} }`]
      : [];
  return [
    "policies:",
    `  ${tool.replace(/[^\w]+/g, "-")}-ok:`,
    `    tools: ${quoted(tool)}`,
    "    action: approve",
    ...condition,
    `    reason: ${quoted(title)}`,
    "",
  ].join("\n");
}
