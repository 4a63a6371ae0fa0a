/** Agents that the gate runs: a list with their states, a new one, and the conversation of one. */

import type { SessionList } from "toolgate/contract";
import { useRight } from "../api/console-context.tsx";
import { useRead } from "../api/use-read.ts";
import { useSelect } from "../app/location.ts";
import type { ViewProps } from "../app/views.ts";
import { Rows } from "../parts/rows.tsx";
import { Shown } from "../parts/shown.tsx";
import { Split } from "../parts/split.tsx";
import { StateWord } from "../parts/state-word.tsx";
import { Empty, Read } from "../parts/states.tsx";
import { Ago } from "../parts/time.tsx";
import { NewSession } from "./new-session.tsx";
import { SessionDetail } from "./session-detail.tsx";
import { stateOf } from "./session-state.ts";

const newId = "~new";

export function Sessions({ selected }: ViewProps) {
  const reading = useRead<SessionList>("api/sessions", { everyMs: 5_000 });
  const select = useSelect("sessions");
  const mayCall = useRight("call");
  return (
    <Split
      title="Sessions"
      isOpen={selected !== undefined}
      onBack={() => select(undefined)}
      hint="Choose a session, or start one."
      tools={
        <span className="actions end">
          {mayCall && (
            <button type="button" aria-pressed={selected === newId} onClick={() => select(newId)}>
              New session
            </button>
          )}
        </span>
      }
      list={
        <Read of={reading}>
          {({ sessions }) =>
            sessions.length === 0 ? (
              <Empty command='toolgate run "Say hello"'>No agent was run by this gate yet.</Empty>
            ) : (
              <Rows
                label="Sessions"
                rows={sessions}
                keyOf={({ id }) => id}
                selected={selected}
                onSelect={select}
              >
                {(session) => (
                  <>
                    <span className="line">
                      <span className="cut grow">
                        <Shown line text={session.title} />
                      </span>
                      <StateWord of={stateOf(session)} />
                    </span>
                    <span className="line small quiet">
                      <span className="cut grow">
                        <Shown line text={`${session.runner} · ${session.cwd}`} />
                      </span>
                      <Ago at={session.updatedAt} />
                    </span>
                  </>
                )}
              </Rows>
            )
          }
        </Read>
      }
      detail={
        selected === newId ? (
          <NewSession onStarted={select} />
        ) : (
          selected !== undefined && <SessionDetail key={selected} id={selected} />
        )
      }
    />
  );
}
