/** One item of a conversation: a message, a call with its result, a question, or how a turn ended. */
import { memo } from "react";
import { Icon } from "../parts/icons.tsx";
import { JsonText } from "../parts/json-text.tsx";
import { Markdown } from "../parts/markdown.tsx";
import { Shown } from "../parts/shown.tsx";
import { Verdict } from "../parts/verdict.tsx";
import { QuestionInPlace } from "./question-in-place.tsx";
import type { Item } from "./session-shapes.ts";

export interface ItemViewProps {
  readonly item: Item;
  readonly result?: Item | undefined;
  /** Still being written. */
  readonly isOpen?: boolean;
}

export const ItemView = memo(function ItemView({ item, result, isOpen = false }: ItemViewProps) {
  const { kind, data } = item;
  const text = (name: string) => (typeof data[name] === "string" ? data[name] : undefined);
  switch (kind) {
    case "message":
      return (
        <Message
          role={text("role") ?? "assistant"}
          text={text("text") ?? ""}
          isOpen={isOpen}
          by={text("by")}
        />
      );
    case "tool_use":
      return <ToolCard item={item} result={result} />;
    case "approval":
      return <QuestionInPlace item={item} />;
    case "error":
      return (
        <p className="turn-end refused-word">
          <Icon name="warn" /> <Shown text={text("message") ?? "The turn failed."} />
        </p>
      );
    case "cancelled":
      return (
        <p className="turn-end quiet">
          Cancelled
          {text("by") !== undefined && (
            <>
              {" "}
              by <Shown line text={text("by") ?? ""} />
            </>
          )}
          .
        </p>
      );
    case "completed":
      return text("stopReason") === "end_turn" || text("stopReason") === undefined ? (
        <hr className="turn-end" />
      ) : (
        <p className="turn-end quiet">
          The turn ended: <Shown line text={text("message") ?? text("stopReason") ?? ""} />
        </p>
      );
    default:
      // Results stand in the card of their call; usage stands in the head.
      return null;
  }
});

function Message({
  role,
  text,
  isOpen,
  by,
}: {
  readonly role: string;
  readonly text: string;
  readonly isOpen: boolean;
  readonly by: string | undefined;
}) {
  if (role === "assistant")
    return (
      <div className={isOpen ? "message assistant writing" : "message assistant"}>
        <Markdown text={text} />
      </div>
    );
  if (role === "note")
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

function ToolCard({ item, result }: { readonly item: Item; readonly result: Item | undefined }) {
  const { tool, input } = item.data;
  const main = mainOf(input);
  const isError = result?.data.isError === true || result?.data.ok === false;
  const refused = isError && result?.data.stage !== "run" && result?.data.code !== undefined;
  return (
    <details className="tool-card">
      <summary>
        <strong className="mono">
          <Shown line text={String(tool)} />
        </strong>
        <span className="mono cut quiet">
          <Shown line text={main.slice(0, 300)} />
        </span>
        <Verdict of={result === undefined ? "running" : refused ? "deny" : isError ? "failed" : "allow"} />
      </summary>
      <h3>Input</h3>
      <JsonText label="Input" value={input} />
      {result !== undefined && (
        <>
          <h3>Result</h3>
          <JsonText label="Result" value={resultText(result)} />
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

function resultText({ data }: Item): string {
  const { content, message } = data;
  const texts = Array.isArray(content)
    ? content.map((block) => (typeof block?.text === "string" ? block.text : `[${String(block?.type)}]`))
    : [];
  return [typeof message === "string" ? message : "", ...texts].filter(Boolean).join("\n");
}
