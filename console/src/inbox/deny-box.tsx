/** Why not: the reason is what the model reads. */
import { type KeyboardEvent, useState } from "react";

const suggestions = ["Not now.", "Show me a plan first.", "Use another way.", "Not in this project."];

export interface DenyBoxProps {
  readonly onDeny: (reason: string) => void;
  readonly onClose: () => void;
}

export function DenyBox({ onDeny, onClose }: DenyBoxProps) {
  const [reason, setReason] = useState("");
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") onClose();
    else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) onDeny(reason);
  };
  return (
    <div className="box part">
      <label htmlFor="deny-reason">
        <strong>Why not?</strong> <span className="quiet">The agent reads this. It may stay empty.</span>
      </label>
      <textarea
        id="deny-reason"
        rows={2}
        maxLength={2_000}
        ref={focusOnce}
        value={reason}
        onKeyDown={onKeyDown}
        onChange={(event) => setReason(event.target.value)}
      />
      <div className="chips">
        {suggestions.map((text) => (
          <button key={text} type="button" className="chip" onClick={() => setReason(text)}>
            {text}
          </button>
        ))}
      </div>
      <div className="actions">
        <button type="button" className="danger" onClick={() => onDeny(reason)}>
          Deny <kbd>Ctrl Enter</kbd>
        </button>
        <button type="button" onClick={onClose}>
          Cancel <kbd>Esc</kbd>
        </button>
      </div>
    </div>
  );
}

/** The person has just asked for this box. */
function focusOnce(element: HTMLTextAreaElement | null): void {
  element?.focus();
}
