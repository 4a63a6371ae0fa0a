/** Whether single keys do something: people who speak to their machine, or type with a stick, switch them off. */
import { useSyncExternalStore } from "react";

const name = "toolgate.keys";
const changed = "toolgate-keys";

export function keysAreOn(): boolean {
  return localStorage.getItem(name) !== "off";
}

export function useKeyChoice(): [boolean, (on: boolean) => void] {
  const on = useSyncExternalStore((hear) => {
    addEventListener(changed, hear);
    addEventListener("storage", hear);
    return () => {
      removeEventListener(changed, hear);
      removeEventListener("storage", hear);
    };
  }, keysAreOn);
  return [
    on,
    (next) => {
      if (next) localStorage.removeItem(name);
      else localStorage.setItem(name, "off");
      dispatchEvent(new Event(changed));
    },
  ];
}
