/** A call by hand: the form, what the rules would say, then the call itself, through the same gate as every other. */
import { useState } from "react";
import type { CallOutcome, Tool } from "toolgate/contract";
import { useExplanation } from "../api/use-explanation.ts";
import { useChange } from "../api/use-read.ts";
import { Explained } from "../parts/explained.tsx";
import { InputEditor, startOf } from "../parts/schema-form/input-editor.tsx";
import { Failure } from "../parts/states.tsx";
import { Outcome } from "./outcome.tsx";

export function TryIt({ tool, mayCall }: { readonly tool: Tool; readonly mayCall: boolean }) {
  const [input, setInput] = useState<Readonly<Record<string, unknown>> | undefined>(() =>
    startOf(tool.inputSchema),
  );
  const [isSure, setSure] = useState(tool.permission === "read");
  const said = useExplanation(tool.name, input);
  const call = useChange<CallOutcome>(["api/ledger"]);
  const run = () =>
    call.mutate({ path: `api/tools/${encodeURIComponent(tool.name)}/call`, method: "POST", body: { input } });
  return (
    <section className="part" aria-labelledby="try-it">
      <h2 id="try-it">Try it</h2>
      <InputEditor schema={tool.inputSchema} onChange={setInput} />
      {said.data !== undefined && input !== undefined && <Explained said={said.data} />}
      {said.error !== null && <Failure error={said.error} />}
      {!mayCall && (
        <p className="quiet">
          Your token may look, not call. <code>toolgate console --admin</code> opens the console with every
          right.
        </p>
      )}
      {mayCall && (
        <div className="actions">
          <button
            type="button"
            className="primary"
            disabled={input === undefined || !isSure || call.isPending}
            onClick={run}
          >
            {call.isPending ? "Running…" : "Run"}
          </button>
          {tool.permission !== "read" && (
            <label className="check">
              <input type="checkbox" checked={isSure} onChange={(event) => setSure(event.target.checked)} />
              It {tool.permission === "execute" ? "runs a program" : "writes"}: I mean it
            </label>
          )}
        </div>
      )}
      {call.error !== null && <Failure error={call.error} />}
      {call.data !== undefined && <Outcome outcome={call.data} />}
    </section>
  );
}
