/** Keeps the last words of a process on its stderr, for the message that says why it failed. */

const maxBytes = 8 * 1024;
const maxLines = 8;
const maxChars = 800;

export function lastWords(redact: (text: string) => string = (text) => text) {
  let kept = Buffer.alloc(0);
  return {
    hear(chunk: Buffer): void {
      // A copy: the chunk may be a small part of a large buffer.
      kept = Buffer.concat([kept, chunk]).subarray(-maxBytes);
    },
    /** Redacted, a few lines; empty when it said nothing. */
    last(): string {
      // Redacted before it is cut, so that no half of a secret is left. The first line may be a half itself.
      const lines = redact(kept.toString("utf8")).split("\n");
      if (kept.length === maxBytes) lines.shift();
      const text = lines.map((line) => line.trim()).filter((line) => line !== "");
      return text.slice(-maxLines).join("\n").slice(-maxChars);
    },
  };
}
