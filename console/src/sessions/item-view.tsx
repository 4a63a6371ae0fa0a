/** One item of a conversation: a message, a call with its result, a question, or how a turn ended. */
import { memo } from "react";
import type { SessionItem, SessionItemData } from "toolgate/contract";
import { Link } from "wouter";
import { Icon } from "../parts/icons.tsx";
import { JsonText } from "../parts/json-text.tsx";
import { Markdown } from "../parts/markdown.tsx";
import { Shown } from "../parts/shown.tsx";
import { Verdict } from "../parts/verdict.tsx";
import { QuestionInPlace } from "./question-in-place.tsx";

export interface ItemViewProps {
  readonly item: SessionItem;
  readonly result?: SessionItemData["tool_result"] | undefined;
  /** A person has still to answer whether the call may run. */
  readonly isAsked?: boolean;
  /** How a question ended. */
  readonly answer?: SessionItemData["approval"] | undefined;
}

export const ItemView = memo(function ItemView({ item, result, isAsked, answer }: ItemViewProps) {
  switch (item.kind) {
    case "message":
      return <Message from={item.data.role} text={item.data.text} by={item.data.by} />;
    case "tool_use":
      return <ToolCard call={item.data} result={result} isAsked={isAsked ?? false} />;
    case "approval":
      return <QuestionInPlace asked={item.data} answer={answer} />;
    case "error":
      return (
        <p className="turn-end refused-word">
          <Icon name="warn" /> <Shown text={item.data.message} />
        </p>
      );
    case "cancelled":
      return (
        <p className="turn-end quiet">
          {item.data.what === "turn" ? "The turn was" : "The session was"} cancelled by{" "}
          <Shown line text={item.data.by} />.
        </p>
      );
    case "completed": {
      const { stopReason, message } = item.data;
      if (stopReason === "end_turn" || stopReason === "stop") return <hr className="turn-end" />;
      return (
        <p className="turn-end quiet">
          The turn ended: <Shown line text={message ?? stopReason} />
        </p>
      );
    }
    default:
      // Results stand in the card of their call; usage stands in the head.
      return null;
  }
});

export interface MessageProps {
  readonly from: string;
  readonly text: string;
  readonly by?: string | undefined;
  /** Still being written. */
  readonly isOpen?: boolean;
}

export function Message({ from, text, by, isOpen = false }: MessageProps) {
  if (from === "assistant")
    return (
      <div className={isOpen ? "message assistant writing" : "message assistant"}>
        <Markdown text={text} isGrowing={isOpen} />
      </div>
    );
  if (from === "note")
    return (
      <p className="message note-line quiet">
        <Shown text={text} />
      </p>
    );
  return (
    <div className="message person">
      <p className="small quiet">{by === undefined ? "You" : <Shown line text={by} />}</p>
      <p className="prose">
        <Shown text={text} limit={20_000} />
      </p>
    </div>
  );
}

interface ToolCardProps {
  readonly call: SessionItemData["tool_use"];
  readonly result: SessionItemData["tool_result"] | undefined;
  readonly isAsked: boolean;
}

function ToolCard({ call, result, isAsked }: ToolCardProps) {
  const { tool, input } = call;
  const isFailed = result?.code === "tool_failed" || result?.code === "timed_out";
  const verdict =
    result === undefined
      ? isAsked
        ? "ask"
        : "running"
      : result.ok
        ? "allow"
        : isFailed || result.code === undefined
          ? "failed"
          : "deny";
  return (
    <details className="tool-card">
      <summary>
        <strong className="mono">
          <Shown line text={tool} />
        </strong>
        <span className="mono cut quiet">
          <Shown line text={mainOf(input).slice(0, 300)} />
        </span>
        <Verdict of={verdict} />
      </summary>
      <h3>Input</h3>
      <JsonText label={`Input of ${tool}`} value={input} />
      {result !== undefined && (
        <>
          <h3>Result</h3>
          <JsonText
            label={`Result of ${tool}`}
            value={result.content.map((block) => block.text ?? `[${block.type}]`).join("\n")}
          />
          {result.callId !== undefined && (
            <p>
              <Link href={`/ledger/${result.callId}`}>Its record</Link>
            </p>
          )}
        </>
      )}
    </details>
  );
}

function mainOf(input: unknown): string {
  if (typeof input !== "object" || input === null) return String(input);
  for (const field of ["command", "path", "file_path", "url", "pattern", "query"]) {
    const value = (input as Record<string, unknown>)[field];
    if (typeof value === "string") return value;
  }
  return JSON.stringify(input);
}
