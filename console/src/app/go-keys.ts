/** `g` and a letter go to a view. Only where no text is typed, and switched off with the other single keys. */
import { useEffect } from "react";
import { keysAreOn } from "./key-choice.ts";
import { navigate } from "./location.ts";
import { views } from "./views.ts";

const withinMs = 1_000;

export function useGoKeys(): void {
  useEffect(() => {
    let startedAt = 0;
    const hear = (event: KeyboardEvent) => {
      if (!keysAreOn() || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (event.key === "g") startedAt = Date.now();
      else if (Date.now() - startedAt < withinMs) {
        startedAt = 0;
        const view = views.find(({ key }) => key === event.key);
        if (view === undefined) return;
        // The letter is used up: in the list of the inbox it would mean something else.
        event.preventDefault();
        event.stopPropagation();
        navigate(`/${view.id}`);
      }
    };
    addEventListener("keydown", hear, { capture: true });
    return () => removeEventListener("keydown", hear, { capture: true });
  }, []);
}

export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}
