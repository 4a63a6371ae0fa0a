/** What a call would meet: any tool, any input, without running it. */
import { useState } from "react";
import type { ToolList } from "toolgate/contract";
import { useExplanation } from "../api/use-explanation.ts";
import { useRead } from "../api/use-read.ts";
import { useFilters } from "../app/location.ts";
import { Explained } from "../parts/explained.tsx";
import { InputEditor, startOf } from "../parts/schema-form/input-editor.tsx";
import { Failure } from "../parts/states.tsx";

export function ExplainBox() {
  const [filters, setFilters] = useFilters();
  const tools = useRead<ToolList>("api/tools");
  const name = filters.get("tool") ?? "shell.exec";
  const tool = tools.data?.tools.find((one) => one.name === name);
  return (
    <div className="detail">
      <div className="detail-head">
        <h2>Explain a call</h2>
        <p className="quiet">
          The call is decided as if it were made now. It does not run, and nothing is recorded.
        </p>
      </div>
      <div className="field">
        <label htmlFor="explain-tool">Tool</label>
        <input
          id="explain-tool"
          className="mono"
          list="explain-tools"
          spellCheck={false}
          value={name}
          onChange={(event) => setFilters({ tool: event.target.value })}
        />
        <datalist id="explain-tools">
          {tools.data?.tools.map((one) => (
            <option key={one.name} value={one.name} />
          ))}
        </datalist>
      </div>
      <Call key={`${name} ${tool?.definitionHash ?? ""}`} name={name} schema={tool?.inputSchema} />
    </div>
  );
}

function Call({ name, schema }: { readonly name: string; readonly schema: unknown }) {
  const [input, setInput] = useState<Readonly<Record<string, unknown>> | undefined>(() => startOf(schema));
  const said = useExplanation(name, input);
  return (
    <>
      <InputEditor schema={schema} onChange={setInput} />
      {said.error !== null ? (
        <Failure error={said.error} />
      ) : (
        said.data !== undefined && <Explained said={said.data} isOpen />
      )}
    </>
  );
}
