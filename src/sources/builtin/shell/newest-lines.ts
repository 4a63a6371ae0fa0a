/** Tells the caller the newest lines of a running command, often enough to follow and not too often. */
import { StringDecoder } from "node:string_decoder";
import type { ToolContext } from "../../../core/tool/tool.ts";
import { plainOutput } from "../../../safe/process/plain-output.ts";

const everyMs = 250;
const maxLines = 10;
const maxCharacters = 2_000;

export interface NewestLines {
  add(chunk: Buffer): void;
  /** Nothing is told any more. */
  close(): void;
}

export function createNewestLines(progress: ToolContext["progress"]): NewestLines {
  const decoder = new StringDecoder("utf8");
  let newest = "";
  let timer: NodeJS.Timeout | undefined;
  let toldAt = Number.NEGATIVE_INFINITY;
  const tell = (): void => {
    timer = undefined;
    toldAt = performance.now();
    const lines = plainOutput(newest).trimEnd().split("\n").slice(-maxLines).join("\n");
    if (lines !== "") progress({ message: lines.slice(-maxCharacters) });
  };
  return {
    add(chunk) {
      const last = chunk.length > maxCharacters * 4 ? chunk.subarray(-maxCharacters * 4) : chunk;
      newest = (newest + decoder.write(last)).slice(-maxCharacters * 2);
      if (timer !== undefined) return;
      const wait = everyMs - (performance.now() - toldAt);
      if (wait <= 0) tell();
      else timer = setTimeout(tell, wait);
    },
    close: () => clearTimeout(timer),
  };
}
