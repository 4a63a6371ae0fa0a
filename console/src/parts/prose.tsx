/** A sentence of the gate in which commands and names stand between backticks. */
import { Fragment } from "react";
import { Shown } from "./shown.tsx";

export function Prose({ text }: { readonly text: string }) {
  return text.split(/`([^`\n]+)`/).map((part, index) =>
    index % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text do not change their order.
      <code key={index}>
        <Shown line text={part} />
      </code>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: as above.
      <Fragment key={index}>
        <Shown text={part} />
      </Fragment>
    ),
  );
}
