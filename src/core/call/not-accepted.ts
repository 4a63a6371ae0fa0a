/** How a tool's code says that it did nothing, because what it stands for is no longer what a person accepted. */
import type { Withheld } from "../tool/registry.ts";

/** Thrown while it runs, since only then is it found out; the call ends as `not_accepted`, as every one after it does. */
export class NotAccepted extends Error {
  override readonly name = "NotAccepted";
  readonly hint: string;

  constructor({ message, hint }: Withheld) {
    super(message);
    this.hint = hint;
  }
}
