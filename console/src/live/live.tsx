/** Calls as they happen. Scrolling, hovering or choosing one stops the picture, never the collecting. */
import { useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { useConsole } from "../api/console-context.tsx";
import { useFeedState } from "../api/use-feed-state.ts";
import { useFilters, useSelect } from "../app/location.ts";
import type { ViewProps } from "../app/views.ts";
import { RecordDetail } from "../ledger/record-detail.tsx";
import { Chips } from "../parts/chips.tsx";
import { count, duration, plural } from "../parts/numbers.ts";
import { Rows } from "../parts/rows.tsx";
import { SearchBox } from "../parts/search-box.tsx";
import { Shown } from "../parts/shown.tsx";
import { Split } from "../parts/split.tsx";
import { Empty } from "../parts/states.tsx";
import { clockTime } from "../parts/time.tsx";
import { Verdict } from "../parts/verdict.tsx";
import { fitsFilter, wishOf } from "./live-filter.ts";
import { createLiveRows, type LiveRow, type LiveSnapshot } from "./live-rows.ts";

export function Live({ selected }: ViewProps) {
  const { feed, connection } = useConsole();
  const state = useFeedState();
  const [filters, setFilters] = useFilters();
  const select = useSelect("live");
  const text = filters.toString();
  const live = useMemo(() => {
    const wanted = new URLSearchParams(text);
    return createLiveRows(
      () => connection.clock.now(),
      (row) => fitsFilter(row, wanted),
    );
  }, [text, connection]);
  useEffect(() => feed.listen((events) => live.take(events)), [feed, live]);
  useEffect(() => {
    feed.wish(wishOf(new URLSearchParams(text)));
    return () => feed.wish(undefined);
  }, [feed, text]);
  const now = useSyncExternalStore(live.subscribe, live.snapshot);
  const [isPaused, setPaused] = useState(false);
  const [isHovered, setHovered] = useState(false);
  const [isScrolled, setScrolled] = useState(false);
  const isStill = isPaused || isHovered || isScrolled || selected !== undefined;
  const shown = useStill(now, isStill);
  const missed = now.seen - shown.seen;
  return (
    <Split
      title="Live"
      isOpen={selected !== undefined}
      onBack={() => select(undefined)}
      tools={
        <>
          <SearchBox
            label="Only tools with this name"
            placeholder="Tool, such as shell.*"
            value={filters.get("tool") ?? ""}
            onChange={(tool) => setFilters({ tool })}
          />
          <SearchBox
            label="Only this caller"
            placeholder="Caller"
            value={filters.get("caller") ?? ""}
            onChange={(caller) => setFilters({ caller })}
          />
          <Chips
            label="How calls ended"
            value={filters.get("only") ?? ""}
            onChange={(only) => setFilters({ only })}
            options={[["refused", "only refused"]]}
          />
          <span className="actions end">
            <button type="button" aria-pressed={isPaused} onClick={() => setPaused(!isPaused)}>
              {isPaused ? "Go on" : "Pause"}
            </button>
            <button type="button" onClick={() => live.clear()}>
              Clear
            </button>
          </span>
        </>
      }
      above={<Figures now={now} />}
      list={
        shown.rows.length === 0 ? (
          <Empty command="toolgate tools call fs.list '{}'">
            {state === "open"
              ? "Nothing happens now. Calls appear here as they are made."
              : "The gate is not heard. Trying again…"}
          </Empty>
        ) : (
          // biome-ignore lint/a11y/noStaticElementInteractions: it only notices the pointer, so that nothing moves below it.
          <div
            className="live-list"
            onMouseEnter={() => setHovered(true)}
            onMouseLeave={() => setHovered(false)}
          >
            {isStill && missed > 0 && (
              <button
                type="button"
                className="missed"
                onClick={() => {
                  setPaused(false);
                  setHovered(false);
                  setScrolled(false);
                  select(undefined);
                }}
              >
                {count(missed)} new
              </button>
            )}
            <Rows
              label="Calls"
              rows={shown.rows}
              keyOf={keyOf}
              selected={selected}
              onSelect={select}
              height={32}
              isFast
              onScroll={(top) => setScrolled(top > 4)}
            >
              {(row) => <CallRow row={row} />}
            </Rows>
          </div>
        )
      }
      detail={selected !== undefined && <RecordDetail key={selected} id={selected} onToken={() => {}} />}
    />
  );
}

function keyOf({ callId }: LiveRow): string {
  return callId;
}

/** The picture as it was when it was stopped. */
function useStill(now: LiveSnapshot, isStill: boolean): LiveSnapshot {
  const [kept, setKept] = useState<LiveSnapshot>();
  useEffect(() => setKept((before) => (isStill ? (before ?? now) : undefined)), [isStill, now]);
  return isStill ? (kept ?? now) : now;
}

function Figures({ now }: { readonly now: LiveSnapshot }) {
  return (
    <p className="above figures small">
      <span>
        <b className="number">{now.perSecond.toFixed(1)}</b> calls a second
      </span>
      <span className={now.refusedPerSecond > 0 ? "refused-word" : ""}>
        <b className="number">{now.refusedPerSecond.toFixed(1)}</b> refused or failed
      </span>
      {now.p95Ms !== undefined && (
        <span>
          95 % within <b className="number">{duration(now.p95Ms)}</b>
        </span>
      )}
      {now.missedAt !== undefined && (
        <span>Calls before {clockTime(now.missedAt)} were missed: the ledger has them.</span>
      )}
      {now.calls > 0 && (
        <span className="quiet">
          {plural(now.calls, "call")} so far, {count(now.refused)} of them refused or failed
          {now.leftOut > 0 && `; ${count(now.leftOut)} only counted: too many to read`}
        </span>
      )}
    </p>
  );
}

function CallRow({ row }: { readonly row: LiveRow }) {
  return (
    <span className="line">
      <span className="quiet number small">{clockTime(row.at)}</span>
      <span className="mono cut live-tool">
        <Shown line text={row.tool} />
      </span>
      <span className="cut grow quiet small">
        <Shown line text={[row.caller, row.about].filter(Boolean).join(" · ").slice(0, 200)} />
      </span>
      {row.durationMs !== undefined && <span className="number small quiet">{duration(row.durationMs)}</span>}
      <Verdict of={row.verdict} />
    </span>
  );
}
