/** Another input instead of the one asked for, with what the rules say to it while one types. */
import { useState } from "react";
import type { Approval, Explanation, Tool } from "toolgate/contract";
import { useExplanation } from "../api/use-explanation.ts";
import { useRead } from "../api/use-read.ts";
import { DiffView } from "../parts/diff-view.tsx";
import { Explained } from "../parts/explained.tsx";
import { InputEditor } from "../parts/schema-form/input-editor.tsx";

export interface EditBoxProps {
  readonly approval: Approval;
  readonly onApprove: (input: Readonly<Record<string, unknown>>) => void;
  readonly onClose: () => void;
}

export function EditBox({ approval, onApprove, onClose }: EditBoxProps) {
  const [input, setInput] = useState<Readonly<Record<string, unknown>> | undefined>(approval.input);
  const tool = useRead<Tool>(`api/tools/${encodeURIComponent(approval.tool)}`);
  const before = JSON.stringify(approval.input, null, 2);
  const after = input === undefined ? undefined : JSON.stringify(input, null, 2);
  const said = useExplanation(approval.tool, input, approval.sessionId);
  const isRefused = said.data?.verdict === "deny";
  return (
    <div className="box part">
      <h2>Another input</h2>
      <InputEditor schema={tool.data?.inputSchema} value={approval.input} onChange={setInput} />
      {after !== undefined && after !== before && (
        <DiffView label="What you changed" before={before} after={after} />
      )}
      <Says said={said.data} isValid={input !== undefined} />
      <div className="actions">
        <button
          type="button"
          className="primary"
          disabled={input === undefined || after === before || isRefused}
          onClick={() => input !== undefined && onApprove(input)}
        >
          Approve this instead
        </button>
        <button type="button" onClick={onClose}>
          Cancel
        </button>
      </div>
    </div>
  );
}

function Says({ said, isValid }: { readonly said: Explanation | undefined; readonly isValid: boolean }) {
  if (!isValid) return <p className="opaque">This is not an object of JSON yet.</p>;
  return said === undefined ? <p className="quiet">Asking the rules…</p> : <Explained said={said} />;
}
