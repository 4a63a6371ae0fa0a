/** The hash that a file must still have to be changed, as a field of an input. */

/**
 * Without a pattern: one of this length has no linear engine, so every call would be checked under a
 * deadline, which costs more than reading the file.
 */
export const expectedHash = {
  type: "string",
  minLength: 64,
  maxLength: 64,
  description: "Only change the file if it still has this hash: 64 hexadecimal digits.",
} as const;

export function explainBadHash(hash: string | undefined): string | undefined {
  if (hash === undefined || /^[0-9a-fA-F]{64}$/.test(hash)) return undefined;
  return "expected_sha256 must be 64 hexadecimal digits.";
}
