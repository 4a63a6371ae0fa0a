/** A place to say more: queued while the agent works; a session that was lost or has ended goes on if one says so. */
import { type KeyboardEvent, useState } from "react";
import type { Session } from "toolgate/contract";
import { useRight } from "../api/console-context.tsx";
import { useChange } from "../api/use-read.ts";
import { Failure } from "../parts/states.tsx";
import { isActive } from "./session-state.ts";

export function SendBox({ session }: { readonly session: Session }) {
  const mayCall = useRight("call");
  const [text, setText] = useState("");
  const send = useChange(["api/sessions"]);
  const isEnded = session.state === "ended";
  const isBusy = isActive(session);
  if (!mayCall) return <p className="send-box quiet">Your token may look, not talk to agents.</p>;
  const say = () => {
    if (text.trim() === "") return;
    send.mutate(
      {
        path: `api/sessions/${encodeURIComponent(session.id)}/messages`,
        method: "POST",
        body: { text, key: crypto.randomUUID(), ...(isEnded && { resume: true }) },
      },
      { onSuccess: () => setText("") },
    );
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) say();
  };
  return (
    <div className="send-box">
      {send.error !== null && <Failure error={send.error} />}
      <label className="unseen-word" htmlFor="say">
        Message to the agent
      </label>
      <textarea
        id="say"
        rows={2}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
        placeholder={
          isEnded
            ? "It has ended. A message lets it go on."
            : isBusy
              ? "Waits until the turn is over."
              : "Say what to do next."
        }
      />
      <button type="button" className="primary" disabled={text.trim() === "" || send.isPending} onClick={say}>
        {isEnded ? "Resume" : isBusy ? "Queue" : "Send"} <kbd>Ctrl Enter</kbd>
      </button>
    </div>
  );
}
