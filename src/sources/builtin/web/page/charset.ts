/** Decodes a page: by its byte order mark, by what the server or the page says, else as UTF-8. */

export function decodePage(bytes: Uint8Array, contentType: string | undefined): string {
  const label = markOf(bytes) ?? labelIn(contentType) ?? labelInside(bytes);
  const declared = label === undefined ? undefined : decoderFor(label);
  if (declared !== undefined) return declared.decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    // Pages that say nothing and are not UTF-8 come from a time when this was what everybody wrote.
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

function markOf(bytes: Uint8Array): string | undefined {
  const [first, second, third] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  return first === 0xff && second === 0xfe ? "utf-16le" : undefined;
}

function labelIn(contentType: string | undefined): string | undefined {
  return /;\s*charset\s*=\s*"?([\w.:-]{1,40})/i.exec(contentType ?? "")?.[1];
}

const lookedAt = 4_096;

/** `<meta charset>`, `<meta http-equiv content="...; charset=">` or `<?xml encoding?>` in the first bytes. */
function labelInside(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, lookedAt)).toString("latin1");
  const found =
    /<meta[^>]{0,500}?charset\s*=\s*["']?\s*([\w.:-]{1,40})/i.exec(start)?.[1] ??
    /^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w.:-]{1,40})/i.exec(start)?.[1];
  // A page that was read as single bytes so far cannot be UTF-16.
  return found !== undefined && /^utf-?16/i.test(found) ? "utf-8" : found;
}

function decoderFor(label: string): InstanceType<typeof TextDecoder> | undefined {
  try {
    return new TextDecoder(label);
  } catch {
    return undefined;
  }
}
