/** What happened: a query, how much of it there was over time, the records page by page, and one of them whole. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import type { LedgerEntry, LedgerPage } from "toolgate/contract";
import { useConsole } from "../api/console-context.tsx";
import { useFilters, useSelect } from "../app/location.ts";
import type { ViewProps } from "../app/views.ts";
import { Rows } from "../parts/rows.tsx";
import { Split } from "../parts/split.tsx";
import { Empty, Read } from "../parts/states.tsx";
import { EntryRow } from "./entry-row.tsx";
import { LedgerChart } from "./ledger-chart.tsx";
import { LedgerTools, replayId, verifyId } from "./ledger-tools.tsx";
import { QueryBox } from "./query-box.tsx";
import { readQuery, withToken } from "./read-query.ts";
import { RecordDetail } from "./record-detail.tsx";
import { Replay } from "./replay.tsx";
import { Verify } from "./verify.tsx";

const pageSize = 100;

export function Ledger({ selected }: ViewProps) {
  const { connection } = useConsole();
  const [filters, setFilters] = useFilters();
  const select = useSelect("ledger");
  const text = filters.get("q") ?? "";
  // "2h ago" is a moment, and stays the same while the query does.
  const query = useMemo(() => readQuery(text, connection.clock.now()), [text, connection]);
  const pages = useInfiniteQuery({
    queryKey: ["api/ledger", query.filter],
    queryFn: ({ pageParam, signal }) =>
      connection.request<LedgerPage>("api/ledger", {
        query: { ...query.filter, limit: pageSize, after: pageParam },
        signal,
      }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (last) => last.next,
    placeholderData: (before) => before,
    staleTime: 10_000,
  });
  const rows = useMemo(() => pages.data?.pages.flatMap(({ entries }) => entries), [pages.data]);
  const more = useCallback(() => {
    if (pages.hasNextPage && !pages.isFetchingNextPage) void pages.fetchNextPage();
  }, [pages.hasNextPage, pages.isFetchingNextPage, pages.fetchNextPage]);
  const set = (name: string, value: string) => setFilters({ q: withToken(text, name, value) });
  const zoom = (since: number, until: number) =>
    setFilters({
      q: withToken(withToken(text, "since", String(Math.floor(since))), "until", String(Math.ceil(until))),
    });
  return (
    <Split
      title="Ledger"
      isOpen={selected !== undefined}
      onBack={() => select(undefined)}
      tools={
        <>
          <QueryBox text={text} query={query} onChange={(q) => setFilters({ q })} />
          <LedgerTools query={query} selected={selected} onSelect={select} />
        </>
      }
      above={
        <LedgerChart
          filter={query.filter}
          isAsked={pages.isFetched && !pages.isPlaceholderData}
          onZoom={zoom}
        />
      }
      list={
        <Read of={{ data: rows, error: pages.error, refetch: pages.refetch }}>
          {(entries) =>
            entries.length === 0 ? (
              <Empty command="toolgate audit tail">
                {text === "" ? "Nothing was recorded yet." : "No record fits this query."}
              </Empty>
            ) : (
              <Rows
                label="Records"
                rows={entries}
                keyOf={keyOf}
                selected={selected}
                onSelect={select}
                onEnd={more}
              >
                {(entry) => <EntryRow entry={entry} />}
              </Rows>
            )
          }
        </Read>
      }
      detail={
        selected === verifyId ? (
          <Verify />
        ) : selected === replayId ? (
          <Replay query={query} />
        ) : (
          selected !== undefined && <RecordDetail key={selected} id={selected} onToken={set} />
        )
      }
    />
  );
}

function keyOf({ seq }: LedgerEntry): string {
  return String(seq);
}
