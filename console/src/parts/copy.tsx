/** Copies a text, and says that it did. */
import { useState } from "react";
import { Icon } from "./icons.tsx";

export function Copy({ text, label = "Copy" }: { readonly text: string; readonly label?: string }) {
  const [isDone, setDone] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setDone(true);
    setTimeout(() => setDone(false), 1_500);
  };
  return (
    <button type="button" onClick={() => void copy()}>
      <Icon name={isDone ? "yes" : "copy"} /> {isDone ? "Copied" : label}
    </button>
  );
}
