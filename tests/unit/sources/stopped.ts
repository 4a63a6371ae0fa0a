/** What tests expect of calls that fail. */
import { expect } from "vitest";

/** The outcome of a call that was stopped with this code, where it matters by this rule. */
export const stopped = (code: string, rule?: string) => ({
  ok: false,
  error: { code, ...(rule !== undefined && { rule: { name: rule } }) },
});

/** A code, and what the message holds. */
export const because = (code: string, message: string | RegExp) => ({
  code,
  message: typeof message === "string" ? expect.stringContaining(message) : expect.stringMatching(message),
});
