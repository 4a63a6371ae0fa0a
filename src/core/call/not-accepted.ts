/** How a tool's code says that it did nothing: what it stands for is not what a person accepted. */
import type { Withheld } from "../tool/registry.ts";

/** Thrown while the tool runs, when it is found out; this call and all after it end as `not_accepted`. */
export class NotAccepted extends Error {
  override readonly name = "NotAccepted";
  readonly hint: string;

  constructor({ message, hint }: Withheld) {
    super(message);
    this.hint = hint;
  }
}
