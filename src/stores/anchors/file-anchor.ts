/** An anchor that is a file elsewhere: checkpoints are only ever added at its end. */
import { constants } from "node:fs";
import { type FileHandle, open, readFile } from "node:fs/promises";

export interface AnchorFile {
  /** The last line that is there; undefined: none. */
  readonly last: string | undefined;
  append(lines: readonly string[]): Promise<void>;
}

/** Every line is shorter. */
const longestEnd = 8_192;

/** The folder must be there: on a disk that is not mounted an anchor must not quietly begin anew. */
export async function withAnchorFile<Result>(
  file: string,
  work: (anchor: AnchorFile) => Promise<Result>,
): Promise<Result> {
  // Not blocking: opening a pipe in its place would never end.
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_APPEND | (constants.O_NONBLOCK ?? 0);
  const handle = await open(file, flags, 0o600);
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw new Error("it is not a file");
    const { last, isWhole } = await readEnd(handle, stats.size);
    return await work({
      last,
      async append(lines) {
        // What somebody left without a line break must not swallow the next line.
        const bytes = Buffer.from(`${isWhole ? "" : "\n"}${lines.join("\n")}\n`);
        const { bytesWritten } = await handle.write(bytes);
        if (bytesWritten !== bytes.length) throw new Error("the disk took only a part of it");
        await handle.datasync();
      },
    });
  } finally {
    await handle.close();
  }
}

async function readEnd(
  handle: FileHandle,
  size: number,
): Promise<{ readonly last: string | undefined; readonly isWhole: boolean }> {
  const length = Math.min(size, longestEnd);
  const bytes = Buffer.alloc(length);
  await handle.read(bytes, 0, length, size - length);
  const text = bytes.toString("utf8");
  return { last: splitLines(text).at(-1), isWhole: text === "" || text.endsWith("\n") };
}

/** Undefined: it is not there. */
export async function readAnchorLines(file: string): Promise<string[] | undefined> {
  try {
    return splitLines(await readFile(file, { encoding: "utf8", flag: constants.O_NONBLOCK ?? 0 }));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

function splitLines(text: string): string[] {
  return text.split("\n").filter((line) => line.trim() !== "");
}
