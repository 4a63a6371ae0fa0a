/** Brings checkpoints to one anchor, one delivery at a time. A failure is told once and tried again. */
import { resolve, sep } from "node:path";
import { messageOf } from "../../core/call/errors.ts";
import type { LedgerAnchor } from "../../core/ports/ledger-reader.ts";
import { hashLine } from "../ledger/checkpoint.ts";
import { anchorName, readAnchorStatus, writeAnchorStatus } from "./anchor-status.ts";
import { withAnchorFile } from "./file-anchor.ts";
import { readSignedAfter } from "./read-signed.ts";
import { logLines, postLines } from "./send-lines.ts";

export interface SenderOptions {
  readonly stateFolder: string;
  readonly checkpointsFile: string;
  /** For the log of whoever runs this. */
  readonly tell: (message: string) => void;
  readonly signal: AbortSignal;
}

/** A longer message would not be taken. */
const linesAtOnce = 500;

export class AnchorSender {
  readonly anchor: LedgerAnchor;
  readonly #options: SenderOptions;
  #failing: string | undefined;
  #running: Promise<void> | undefined;
  #again = false;

  constructor(anchor: LedgerAnchor, options: SenderOptions) {
    this.anchor = anchor;
    this.#options = options;
  }

  /** Why it takes nothing now. */
  get failing(): string | undefined {
    return this.#failing;
  }

  /** Everything that is signed by now. Never rejects. */
  deliver(): Promise<void> {
    this.#again = true;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #run(): Promise<void> {
    while (this.#again && !this.#options.signal.aborted) {
      this.#again = false;
      try {
        await this.#send();
      } catch (error) {
        if (!this.#options.signal.aborted) this.#fail(messageOf(error));
      }
    }
  }

  #send(): Promise<void> {
    return "file" in this.anchor ? this.#sendToFile(this.anchor.file) : this.#sendElsewhere();
  }

  async #sendToFile(file: string): Promise<void> {
    const { stateFolder, checkpointsFile, tell } = this.#options;
    if (`${resolve(file)}${sep}`.startsWith(`${resolve(stateFolder)}${sep}`))
      throw new Error("it is inside the state folder, and would be changed or put back with it");
    const taken = await withAnchorFile(file, async ({ last, append }) => {
      const { lines, isFound } = await readSignedAfter(checkpointsFile, (line) => line === last);
      if (last === undefined || isFound) {
        if (lines.length > 0) await append(lines);
        return lines.at(-1) ?? last;
      }
      tell(
        `The anchor ${file} knows a checkpoint that the state folder does not have: the ledger was cut or put back, or somebody else writes there. Run: toolgate audit verify`,
      );
      // What stands there stays as evidence, and from here on it is an anchor for what is here now.
      const newest = lines.at(-1);
      if (newest !== undefined) await append([newest]);
      return newest;
    });
    this.#succeed(taken);
  }

  async #sendElsewhere(): Promise<void> {
    const { stateFolder, checkpointsFile, signal } = this.#options;
    const { taken } = readAnchorStatus(stateFolder, this.anchor);
    const { lines, isFound } = await readSignedAfter(checkpointsFile, (line) => hashLine(line) === taken);
    // The newest speaks for all before it.
    const open = isFound ? lines : lines.slice(-1);
    for (let at = 0; at < open.length; at += linesAtOnce) {
      const some = open.slice(at, at + linesAtOnce);
      if ("url" in this.anchor) await postLines(this.anchor, some, signal);
      else await logLines(some, signal);
      this.#succeed(some.at(-1));
    }
    if (open.length === 0) this.#succeed(undefined);
  }

  #succeed(line: string | undefined): void {
    const { stateFolder, tell } = this.#options;
    const before = readAnchorStatus(stateFolder, this.anchor);
    const taken = line === undefined ? before.taken : hashLine(line);
    if (this.#failing !== undefined) tell(`The anchor ${anchorName(this.anchor)} takes checkpoints again.`);
    this.#failing = undefined;
    if (taken === undefined || (taken === before.taken && before.failing === undefined)) return;
    writeAnchorStatus(stateFolder, this.anchor, { taken, takenAt: Date.now() });
  }

  #fail(why: string): void {
    const { stateFolder, tell } = this.#options;
    if (this.#failing === undefined)
      tell(`The anchor ${anchorName(this.anchor)} does not take the ledger's checkpoints: ${why}.`);
    this.#failing = why;
    const { failing, ...before } = readAnchorStatus(stateFolder, this.anchor);
    try {
      const since = failing?.since ?? Date.now();
      writeAnchorStatus(stateFolder, this.anchor, { ...before, failing: { since, why } });
    } catch {
      // A full disk: it is told above, and every call says so by itself.
    }
  }
}
