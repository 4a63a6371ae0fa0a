/** What waits for a person: the list, the selected card, and the keys, which are heard only in the list. */
import { useQueries } from "@tanstack/react-query";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import type { Approval, ApprovalPreview, ToolList } from "toolgate/contract";
import { useConsole, useRight } from "../api/console-context.tsx";
import { useRead } from "../api/use-read.ts";
import { keysAreOn } from "../app/key-choice.ts";
import { navigate } from "../app/location.ts";
import type { ViewProps } from "../app/views.ts";
import { plural } from "../parts/numbers.ts";
import { Rows } from "../parts/rows.tsx";
import { Split } from "../parts/split.tsx";
import { Empty, Read } from "../parts/states.tsx";
import { useToasts } from "../parts/toasts.tsx";
import { whyNotTogether } from "./choose-many.ts";
import { useHeld } from "./held-answers.tsx";
import { KeysHelp } from "./keys-help.tsx";
import { ManyBar } from "./many-bar.tsx";
import { NotifyButton } from "./notify.tsx";
import { dangerOf, isWaiting } from "./question.ts";
import { QuestionDetail, type QuestionKeys } from "./question-detail.tsx";
import { QuestionRow } from "./question-row.tsx";
import { useQuestions } from "./use-questions.ts";

/** Of so many rows the gate is asked what they would do; of the others when they are chosen. */
const previewed = 20;

export function Inbox({ selected }: ViewProps) {
  const questions = useQuestions(selected);
  const mayAnswer = useRight("approve");
  const held = useHeld();
  const toasts = useToasts();
  const tools = useRead<ToolList>("api/tools");
  const list = useRef<HTMLDivElement>(null);
  const card = useRef<QuestionKeys>(null);
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [isHelp, setHelp] = useState(false);
  // Without a choice in the address the first one is shown; on a phone the list comes first.
  const shown =
    questions.list.find(({ id }) => id === selected) ?? questions.list.find(isWaiting) ?? questions.list[0];
  const near = questions.list.filter(isWaiting).slice(0, previewed);
  const previews = usePreviews([
    ...new Set([...(shown === undefined ? [] : [shown.id]), ...near.map(({ id }) => id), ...chosen]),
  ]);
  const toolOf = ({ tool }: Approval) => tools.data?.tools.find(({ name }) => name === tool);
  const dangerFor = (one: Approval) => dangerOf(one, previews.get(one.id), toolOf(one));
  const select = (id: string) =>
    navigate(`/inbox/${encodeURIComponent(id)}`, { replace: selected !== undefined });
  const picked = questions.list.filter((one) => chosen.includes(one.id) && isWaiting(one));

  const toggle = (one: Approval) => {
    if (chosen.includes(one.id)) return setChosen(chosen.filter((id) => id !== one.id));
    const why = whyNotTogether(one, dangerFor(one) === "high", picked);
    if (why !== undefined) return void toasts.show({ text: why });
    setChosen([...chosen, one.id]);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.repeat || !keysAreOn() || event.key === " " || event.key === "Enter") return;
    if (event.key === "?") setHelp(true);
    else if (event.key === "u") held.undo();
    else if (event.key === "x" && shown !== undefined && isWaiting(shown)) toggle(shown);
    else if (card.current?.press(event.key, event.timeStamp) !== true) return;
    event.preventDefault();
  };
  // An answered card stays where it is until the next one is chosen; then nothing of it is left to press.
  useEffect(() => {
    if (selected === undefined && shown !== undefined && matchMedia("(min-width: 761px)").matches)
      navigate(`/inbox/${encodeURIComponent(shown.id)}`, { replace: true });
  }, [selected, shown]);
  return (
    <>
      <Split
        title="Inbox"
        isOpen={selected !== undefined && shown !== undefined}
        onBack={() => navigate("/inbox")}
        hint="Nothing is chosen."
        tools={
          <>
            <span className="quiet">{plural(questions.waiting.size, "question")} waiting</span>
            <span className="actions end">
              {questions.ended > 0 && (
                <button type="button" className="link" onClick={questions.clearEnded}>
                  Clear {questions.ended} answered
                </button>
              )}
              <NotifyButton />
              <button type="button" className="only-wide" onClick={() => setHelp(true)}>
                Keys <kbd>?</kbd>
              </button>
            </span>
          </>
        }
        above={picked.length > 0 && <ManyBar chosen={picked} onClear={() => setChosen([])} />}
        list={
          <Read of={questions.reading}>
            {() =>
              questions.list.length === 0 ? (
                <Empty command="toolgate approvals watch">
                  Nothing waits. When a rule says “ask”, the call waits here for your answer.
                </Empty>
              ) : (
                <Rows
                  label="Questions"
                  rows={questions.list}
                  keyOf={({ id }) => id}
                  selected={shown?.id}
                  onSelect={select}
                  height={56}
                  onKey={onKey}
                  listRef={list}
                >
                  {(one) => (
                    <QuestionRow
                      approval={one}
                      danger={dangerFor(one)}
                      isChosen={chosen.includes(one.id)}
                      holding={held.held.has(one.id) ? "answering…" : undefined}
                    />
                  )}
                </Rows>
              )
            }
          </Read>
        }
        detail={
          shown !== undefined && (
            <QuestionDetail
              key={shown.id}
              approval={shown}
              preview={previews.get(shown.id)}
              tool={toolOf(shown)}
              mayAnswer={mayAnswer}
              keysRef={card}
              onDone={() => list.current?.focus({ preventScroll: true })}
            />
          )
        }
      />
      {isHelp && <KeysHelp onClose={() => setHelp(false)} />}
    </>
  );
}

/** What the calls would do, as the gate takes them apart; an older gate does not, and then everything counts as dangerous. */
function usePreviews(ids: readonly string[]): ReadonlyMap<string, ApprovalPreview> {
  const { connection } = useConsole();
  const all = useQueries({
    queries: ids.map((id) => ({
      queryKey: ["api/approvals", "preview", id],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        connection.request<ApprovalPreview>(`api/approvals/${encodeURIComponent(id)}/preview`, { signal }),
      retry: false,
      staleTime: 10_000,
    })),
  });
  return new Map(
    ids.flatMap((id, index) => (all[index]?.data === undefined ? [] : [[id, all[index].data] as const])),
  );
}
