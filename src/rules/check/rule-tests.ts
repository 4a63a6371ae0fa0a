/** Inline tests that rules carry with them. */

export interface RuleTest {
  readonly desc?: string;
  readonly input: { readonly tool_name: string; readonly tool_input: unknown };
  readonly expect: "block" | "allow" | "ask";
  /** The message must hold this text. */
  readonly contains?: string;
}
