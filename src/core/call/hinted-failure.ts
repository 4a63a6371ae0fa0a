/** How a tool's code says what to do about its failure, where correcting the input would not help. */

/** Thrown while it runs; the call ends as `tool_failed`, with this hint instead of the usual one. */
export class HintedFailure extends Error {
  readonly hint: string | undefined;

  constructor(message: string, hint: string | undefined) {
    super(message);
    this.hint = hint;
  }
}
