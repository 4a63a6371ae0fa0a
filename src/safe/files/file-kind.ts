/** Tells by its first bytes, never by its name, whether a file is text, an image or something else. */

export type ImageType = "image/png" | "image/jpeg" | "image/gif" | "image/webp" | "image/bmp";

export type FileKind =
  | { readonly kind: "text" }
  | { readonly kind: "image"; readonly type: ImageType }
  | { readonly kind: "binary"; readonly what: string };

/** How much of a file is looked at. */
export const kindBytes = 8 * 1024;

export function kindOfFile(start: Buffer): FileKind {
  const type = imageTypeOf(start);
  if (type !== undefined) return { kind: "image", type };
  const known = signatures.find(([bytes, , at = 0]) => hasBytes(start, bytes, at));
  if (known !== undefined) return { kind: "binary", what: known[1] };
  const isUtf16 = hasBytes(start, "fffe", 0) || hasBytes(start, "feff", 0);
  if (!isUtf16 && start.subarray(0, kindBytes).includes(0)) return { kind: "binary", what: "binary data" };
  return { kind: "text" };
}

export function imageTypeOf(start: Buffer): ImageType | undefined {
  if (hasBytes(start, "89504e470d0a1a0a", 0)) return "image/png";
  if (hasBytes(start, "ffd8ff", 0)) return "image/jpeg";
  if (/^GIF8[79]a/.test(start.toString("latin1", 0, 6))) return "image/gif";
  const isRiff = start.toString("latin1", 0, 4) === "RIFF";
  if (isRiff && start.toString("latin1", 8, 12) === "WEBP") return "image/webp";
  // Two letters alone could begin a text: the reserved bytes and the size of a header must fit too.
  if (
    hasBytes(start, "424d", 0) &&
    hasBytes(start, "00000000", 6) &&
    [12, 40, 52, 56, 64, 108, 124].includes(u32(start, 14))
  )
    return "image/bmp";
  return undefined;
}

type Signature = readonly [hex: string, what: string, at?: number];

/** What a refusal names; that it is no text is mostly seen by its NUL bytes anyway. */
const signatures: readonly Signature[] = [
  ["25504446", "a PDF document"],
  ["504b0304", "a ZIP archive (or an office document, JAR or APK)"],
  ["504b0506", "an empty ZIP archive"],
  ["1f8b", "gzip data"],
  ["425a68", "bzip2 data"],
  ["fd377a585a00", "xz data"],
  ["28b52ffd", "zstd data"],
  ["377abcaf271c", "a 7z archive"],
  ["526172211a07", "a RAR archive"],
  ["7573746172", "a tar archive", 257],
  ["7f454c46", "an ELF program or library"],
  ["4d5a9000", "a Windows program"],
  ["cafebabe", "a Java class or Mach-O program"],
  ["cffaedfe", "a Mach-O program"],
  ["0061736d", "a WebAssembly module"],
  ["53514c69746520666f726d6174203300", "a SQLite database"],
  ["00000100", "an icon"],
  ["49492a00", "a TIFF image"],
  ["4d4d002a", "a TIFF image"],
  ["66747970", "a video, audio or HEIF file", 4],
  ["4f676753", "an Ogg file"],
  ["494433", "an MP3 file"],
  ["774f4632", "a font"],
  ["fffe0000", "text in UTF-32, which is not supported"],
  ["0000feff", "text in UTF-32, which is not supported"],
];

function hasBytes(start: Buffer, hex: string, at: number): boolean {
  return start.toString("hex", at, at + hex.length / 2) === hex;
}

function u32(bytes: Buffer, at: number): number {
  return at + 4 <= bytes.length ? bytes.readUInt32LE(at) : -1;
}
