/** One session: its conversation as it is written, the calls in it, its questions, and a place to say more. */
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import type { Session, SessionView } from "toolgate/contract";
import { useConsole, useRight } from "../api/console-context.tsx";
import { useChange, useRead } from "../api/use-read.ts";
import { count, plural } from "../parts/numbers.ts";
import { Shown } from "../parts/shown.tsx";
import { StateWord } from "../parts/state-word.tsx";
import { Empty, Failure, Waiting } from "../parts/states.tsx";
import { Message } from "./item-view.tsx";
import { Items } from "./items.tsx";
import { SendBox } from "./send-box.tsx";
import { isActive, stateOf } from "./session-state.ts";
import { openTranscript, type Transcript } from "./transcript-store.ts";

const nothing: Transcript = { session: undefined, items: [], open: new Map(), problem: undefined };

export function SessionDetail({ id }: { readonly id: string }) {
  const { connection } = useConsole();
  const [store, setStore] = useState<ReturnType<typeof openTranscript>>();
  useEffect(() => {
    const opened = openTranscript(connection, id);
    setStore(opened);
    return () => opened.close();
  }, [connection, id]);
  const { session, items, open, problem } = useSyncExternalStore(
    store?.subscribe ?? nobody,
    () => store?.snapshot() ?? nothing,
  );
  const client = useQueryClient();
  const state = session?.state;
  // The list beside says the same.
  useEffect(() => {
    if (state !== undefined) void client.invalidateQueries({ queryKey: ["api/sessions"] });
  }, [state, client]);
  const end = useRef<HTMLDivElement>(null);
  const followed = useFollow(end, items.length + [...open.values()].join("").length);
  if (session === undefined) return problem === undefined ? <Waiting /> : <Empty>{problem}</Empty>;
  return (
    <div className="session">
      <SessionHead session={session} />
      <div className="transcript" role="log" aria-label="Conversation" aria-live="polite" ref={followed}>
        <Items items={items} />
        {[...open].map(([itemId, text]) => (
          <Message key={itemId} from="assistant" text={text} isOpen />
        ))}
        <Queued session={session} />
        {problem !== undefined && <p className="opaque">{problem} Trying again…</p>}
        <div ref={end} />
      </div>
      <SendBox session={session} />
    </div>
  );
}

function nobody(): () => void {
  return () => {};
}

/** Messages that wait until the turn is over. */
function Queued({ session }: { readonly session: Session }) {
  const view = useRead<SessionView>(`api/sessions/${encodeURIComponent(session.id)}`, {
    query: { limit: 0 },
    enabled: isActive(session),
    everyMs: 3_000,
  });
  return view.data?.prompts.map(({ id, text }) => (
    <div key={id} className="message person queued">
      <p className="small quiet">Waits for its turn</p>
      <p className="prose">
        <Shown text={text} limit={2_000} />
      </p>
    </div>
  ));
}

/** Stays at the end while the person is there, and nowhere else. */
function useFollow(end: React.RefObject<HTMLElement | null>, length: number) {
  const place = useRef<HTMLDivElement>(null);
  const wasAtEnd = useRef(true);
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const hear = () => {
      wasAtEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < 40;
    };
    element.addEventListener("scroll", hear, { passive: true });
    return () => element.removeEventListener("scroll", hear);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: more text is what it follows.
  useEffect(() => {
    if (wasAtEnd.current) end.current?.scrollIntoView({ block: "end" });
  }, [length, end]);
  return place;
}

function SessionHead({ session }: { readonly session: Session }) {
  const mayCall = useRight("call");
  const change = useChange(["api/sessions"]);
  const { usage } = session;
  return (
    <header className="session-head">
      <div className="line">
        <h2 className="cut grow">
          <Shown line text={session.title} />
        </h2>
        <StateWord of={stateOf(session)} />
        {mayCall && isActive(session) && (
          <button
            type="button"
            className="danger"
            disabled={change.isPending}
            onClick={() =>
              change.mutate({
                path: `api/sessions/${encodeURIComponent(session.id)}/cancel`,
                method: "POST",
                body: {},
              })
            }
          >
            Cancel
          </button>
        )}
      </div>
      <p className="quiet small">
        <Shown
          line
          text={`${session.runner}${session.model === undefined ? "" : ` · ${session.model}`} · ${session.mode === "plan" ? "only reads" : "acts"} · ${session.cwd} · started by ${session.owner}`}
        />
        {usage !== undefined &&
          ` · ${plural(usage.inputTokens, "token")} in, ${count(usage.outputTokens)} out`}
      </p>
      {session.error !== undefined && (
        <p className="refused-word">
          <Shown text={session.error.message} />
        </p>
      )}
      {change.error !== null && <Failure error={change.error} />}
    </header>
  );
}
