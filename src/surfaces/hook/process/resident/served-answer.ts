/** What the server answers to a hook: `CODE OUT ERR`, a line end, and the texts of these lengths in bytes. */
import type { HookAnswer } from "../../../../agents/agent-hook.ts";

/** Undefined: it is not in this form. */
export function readServedAnswer(bytes: Buffer): HookAnswer | undefined {
  const at = bytes.indexOf("\n");
  const [, code, out, err, from, long] = form.exec(bytes.toString("latin1", 0, Math.max(at, 0))) ?? [];
  if (code === undefined) return undefined;
  const texts = bytes.subarray(at + 1);
  const [length, start] = [Number(out), Number(from ?? 0)];
  if (texts.length !== length + Number(err ?? 0) || start + Number(long ?? 0) > length) return undefined;
  const stdout = texts.toString("utf8", 0, length);
  // `=FROM:LENGTH`: the second text is that part of the first, with its line ends written out.
  const stderr =
    from === undefined
      ? texts.toString("utf8", length)
      : `${texts.toString("utf8", start, start + Number(long)).replaceAll("\\n", "\n")}\n`;
  return { exitCode: Number(code), stdout, stderr };
}

const form = /^([02]) (\d{1,7}) (?:(\d{1,7})|=(\d{1,7}):(\d{1,7}))$/;
