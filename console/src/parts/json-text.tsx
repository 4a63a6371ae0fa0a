/** A value of a call as indented text: an input, a result, a schema. */
import { Shown } from "./shown.tsx";

export interface JsonTextProps {
  readonly value: unknown;
  readonly limit?: number;
  readonly onOpened?: () => void;
  readonly label: string;
}

export function JsonText({ value, limit = 20_000, onOpened, label }: JsonTextProps) {
  const text = typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? "nothing");
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a block that scrolls must be reachable by keyboard.
    <section className="code" tabIndex={0} aria-label={label}>
      <pre>
        <Shown text={text} limit={limit} {...(onOpened && { onOpened })} />
      </pre>
    </section>
  );
}
