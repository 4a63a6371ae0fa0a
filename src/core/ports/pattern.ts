/** The port for regular expressions written by users or strangers: an answer in bounded time, or none. */

export interface SafePattern {
  readonly source: string;
  readonly flags: string;
  /** Runs in time linear to the text; otherwise every run has a time budget. */
  readonly linear: boolean;
  /** `undefined` = undecided (out of time, or the text is too long): take the stricter verdict. */
  test(text: string): boolean | undefined;
  /** The match and its groups, `null` for no match, `undefined` for undecided. */
  exec(text: string): readonly (string | undefined)[] | null | undefined;
}

export type CompiledPattern =
  | { readonly ok: true; readonly pattern: SafePattern }
  | { readonly ok: false; readonly message: string };

export type CompilePattern = (source: string, flags?: string) => CompiledPattern;

/** Tests one text against many patterns; those that are not linear share one time budget. */
export type TestAllPatterns = (
  patterns: readonly SafePattern[],
  text: string,
) => readonly (boolean | undefined)[];
