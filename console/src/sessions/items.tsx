/** The items of a transcript. Drawn again only when one is added, and the newest first: a session can have thousands. */
import { memo, useMemo, useState } from "react";
import type { SessionItem, SessionItemData } from "toolgate/contract";
import { count } from "../parts/numbers.ts";
import { ItemView } from "./item-view.tsx";

const shownAtOnce = 300;

export const Items = memo(function Items({ items }: { readonly items: readonly SessionItem[] }) {
  const [more, setMore] = useState(0);
  const known = useMemo(() => relate(items), [items]);
  // In whole steps, so that the first one does not move away with every new one.
  const hidden = Math.max(0, Math.floor(items.length / shownAtOnce - 1) * shownAtOnce - more);
  return (
    <>
      {hidden > 0 && (
        <button type="button" className="earlier" onClick={() => setMore(more + shownAtOnce * 2)}>
          Show earlier ({count(hidden)} more)
        </button>
      )}
      {items.slice(hidden).map((item) => (
        <ItemView
          key={item.data.seq}
          item={item}
          result={item.kind === "tool_use" ? known.results.get(item.data.toolUseId) : undefined}
          isAsked={item.kind === "tool_use" && known.asked.has(item.data.toolUseId)}
          answer={item.kind === "approval" ? known.answers.get(item.data.id) : undefined}
        />
      ))}
    </>
  );
});

interface Related {
  /** A result stands in the card of its call. */
  readonly results: ReadonlyMap<string, SessionItemData["tool_result"]>;
  /** Calls whose question is the last word about them. */
  readonly asked: ReadonlySet<string>;
  /** What became of a question is an item of its own, and stands in the place of the question. */
  readonly answers: ReadonlyMap<string, SessionItemData["approval"]>;
}

function relate(items: readonly SessionItem[]): Related {
  const results = new Map<string, SessionItemData["tool_result"]>();
  const asked = new Set<string>();
  const answers = new Map<string, SessionItemData["approval"]>();
  for (const { kind, data } of items) {
    if (kind === "tool_result") {
      if (!results.has(data.toolUseId)) results.set(data.toolUseId, data);
    } else if (kind === "approval") {
      const { id, state, toolUseId } = data;
      if (state !== "asked") answers.set(id, data);
      if (toolUseId === undefined) continue;
      if (state === "asked") asked.add(toolUseId);
      else asked.delete(toolUseId);
    }
  }
  return { results, asked, answers };
}
