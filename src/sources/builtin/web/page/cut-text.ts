/** Cuts the part of a long text that one answer has room for, at the end of a line where there is one. */

export interface TextPart {
  readonly part: string;
  /** Where the next part begins. */
  readonly end: number;
}

/** A line that ends this near to the limit is a good place to stop. */
const nearEnd = 1_000;

export function cutText(text: string, offset: number, limit: number, maxBytes: number): TextPart {
  const start = wholeSign(text, Math.min(offset, text.length));
  let end = Math.min(text.length, start + limit);
  // Signs of other scripts take up to three bytes each.
  for (let bytes = bytesOf(text, start, end); bytes > maxBytes; bytes = bytesOf(text, start, end))
    end = start + Math.floor((end - start) * Math.min(0.95, maxBytes / bytes));
  if (end < text.length) {
    const line = text.lastIndexOf("\n", end) + 1;
    end = line > start && line > end - nearEnd ? line : wholeSign(text, end);
  }
  return { part: text.slice(start, end), end };
}

function bytesOf(text: string, start: number, end: number): number {
  return Buffer.byteLength(text.slice(start, end));
}

/** Not in the middle of a pair. */
function wholeSign(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return at > 0 && at < text.length && code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
}
