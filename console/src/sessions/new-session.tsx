/** A new session: what to do, which agent, in which folder, and whether it may only read. */
import { type FormEvent, useState } from "react";
import type { RunnerList, Session, Status } from "toolgate/contract";
import { useChange, useRead } from "../api/use-read.ts";
import { Prose } from "../parts/prose.tsx";
import { Empty, Failure } from "../parts/states.tsx";

export function NewSession({ onStarted }: { readonly onStarted: (id: string) => void }) {
  const reading = useRead<RunnerList>("api/runners");
  const runners = reading.data?.runners;
  const project = useRead<Status>("api/status").data?.project ?? "";
  const [prompt, setPrompt] = useState("");
  const [runner, setRunner] = useState<string>();
  const [cwd, setCwd] = useState<string>();
  const [mode, setMode] = useState<"act" | "plan">("act");
  // Pressing twice, or again after a cut connection, starts one session.
  const [key] = useState(() => crypto.randomUUID());
  const start = useChange<Session>(["api/sessions"]);
  const chosen = runner ?? runners?.find((one) => one.default === true)?.name ?? runners?.[0]?.name ?? "chat";
  const missing = runners?.find(({ name }) => name === chosen)?.missing;
  const send = (event: FormEvent) => {
    event.preventDefault();
    const folder = (cwd ?? project).trim();
    start.mutate(
      {
        path: "api/sessions",
        method: "POST",
        body: { prompt, key, runner: chosen, mode, ...(folder !== "" && { cwd: folder }) },
      },
      { onSuccess: ({ id }) => onStarted(id) },
    );
  };
  if (runners?.length === 0)
    return (
      <Empty command="toolgate doctor">
        No agent is set up that the gate could run. Name one under sessions.runners of your configuration.
      </Empty>
    );
  return (
    <form className="detail" onSubmit={send}>
      <div className="detail-head">
        <h2>New session</h2>
        <p className="quiet">Every tool call of the agent passes the gate. You answer what it asks.</p>
      </div>
      <div className="field">
        <label htmlFor="session-prompt">What should it do?</label>
        <textarea
          id="session-prompt"
          rows={5}
          value={prompt}
          onChange={(event) => setPrompt(event.target.value)}
        />
      </div>
      <div className="fields">
        <div className="field">
          <label htmlFor="session-runner">Agent</label>
          {runners === undefined ? (
            <input id="session-runner" value={chosen} onChange={(event) => setRunner(event.target.value)} />
          ) : (
            <select id="session-runner" value={chosen} onChange={(event) => setRunner(event.target.value)}>
              {runners.map(({ name, title }) => (
                <option key={name} value={name}>
                  {title ?? name}
                </option>
              ))}
            </select>
          )}
        </div>
        <div className="field">
          <label htmlFor="session-mode">It may</label>
          <select
            id="session-mode"
            value={mode}
            onChange={(event) => setMode(event.target.value as typeof mode)}
          >
            <option value="act">do what rules allow</option>
            <option value="plan">only read (plan)</option>
          </select>
        </div>
      </div>
      <div className="field">
        <label htmlFor="session-folder">Folder</label>
        <input
          id="session-folder"
          className="mono"
          spellCheck={false}
          value={cwd ?? project}
          onChange={(event) => setCwd(event.target.value)}
        />
      </div>
      {missing !== undefined && (
        <p className="opaque">
          <span>
            <Prose text={missing} />
          </span>
        </p>
      )}
      {start.error !== null && <Failure error={start.error} />}
      <div className="actions">
        <button
          type="submit"
          className="primary"
          disabled={prompt.trim() === "" || reading.isPending || start.isPending}
        >
          {start.isPending ? "Starting…" : "Start"}
        </button>
      </div>
    </form>
  );
}
