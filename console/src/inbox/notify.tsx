/** Tells of new questions while the page is in the background, if the person allowed it: who asks, never what. */
import { useEffect, useState } from "react";
import type { EventData } from "toolgate/contract";
import { useConsole } from "../api/console-context.tsx";
import { navigate } from "../app/location.ts";

export function useNotifications(): void {
  const { feed } = useConsole();
  useEffect(
    () =>
      feed.listen((events) => {
        if (typeof Notification === "undefined" || Notification.permission !== "granted") return;
        if (document.visibilityState === "visible") return;
        for (const { kind, data } of events)
          if (kind === "approval-request") tell(data as EventData["approval-request"]);
      }),
    [feed],
  );
}

function tell({ id, tool, caller, rule }: EventData["approval-request"]): void {
  const by = rule === undefined ? "" : ` (${rule.name})`;
  // The same tag in every tab: one message.
  const note = new Notification("A call waits for you", {
    body: `${caller} asks to use ${tool}${by}`,
    tag: `toolgate-${id}`,
  });
  note.onclick = () => {
    focus();
    navigate(`/inbox/${id}`);
    note.close();
  };
}

export function NotifyButton() {
  const [state, setState] = useState(() =>
    typeof Notification === "undefined" ? "denied" : Notification.permission,
  );
  if (state !== "default") return null;
  return (
    <button type="button" onClick={() => void Notification.requestPermission().then(setState)}>
      Notify me
    </button>
  );
}
