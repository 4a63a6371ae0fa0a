/** What waits, always as the store has it, and what ended while somebody was looking: those stay in their place and say why. */
import { useQueries } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useState } from "react";
import type { Approval, ApprovalList } from "toolgate/contract";
import { useConsole } from "../api/console-context.tsx";
import { useRead } from "../api/use-read.ts";
import { inOrder } from "./question.ts";

export interface Questions {
  readonly list: readonly Approval[];
  readonly waiting: ReadonlySet<string>;
  readonly reading: {
    readonly data: ApprovalList | undefined;
    readonly error: unknown;
    readonly refetch: () => unknown;
  };
  /** Takes those that ended out of the list. */
  readonly clearEnded: () => void;
  readonly ended: number;
}

export function useQuestions(selected: string | undefined): Questions {
  const { connection } = useConsole();
  const reading = useRead<ApprovalList>("api/approvals", { everyMs: 15_000 });
  const [seen, setSeen] = useState<ReadonlyMap<string, Approval | undefined>>(new Map());
  const open = reading.data?.approvals;
  useEffect(() => {
    if (open === undefined) return;
    setSeen((before) => {
      const isKnown = open.every((one) => before.get(one.id) === one);
      if (isKnown && (selected === undefined || before.has(selected))) return before;
      const next = new Map(before);
      if (selected !== undefined && !next.has(selected)) next.set(selected, undefined);
      for (const one of open) next.set(one.id, one);
      return next;
    });
  }, [open, selected]);

  const waiting = useMemo(() => new Set((open ?? []).map(({ id }) => id)), [open]);
  const gone = useMemo(
    () => (open === undefined ? [] : [...seen.keys()].filter((id) => !waiting.has(id))),
    [open, seen, waiting],
  );
  const ends = useQueries({
    queries: gone.map((id) => ({
      queryKey: ["api/approvals", "one", id],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        connection.request<Approval>(`api/approvals/${encodeURIComponent(id)}`, { signal }),
      staleTime: 2_000,
      retry: 1,
    })),
  });
  const ended = gone.flatMap((id, index): Approval[] => {
    const known = ends[index]?.data ?? seen.get(id);
    return known === undefined ? [] : [known];
  });
  const clearEnded = useCallback(() => setSeen(new Map((open ?? []).map((one) => [one.id, one]))), [open]);
  return { list: inOrder([...(open ?? []), ...ended]), waiting, reading, clearEnded, ended: ended.length };
}
