/** Records who changed what the gate lets pass, before the command says that it is done. */
import { messageOf, ToolgateError } from "../../../core/call/errors.ts";
import type { LedgerNote } from "../../../core/ports/ports.ts";
import { answererName } from "../commands/approvals/who-answers.ts";
import type { CliIo } from "../terminal/io.ts";
import { openOwnStore } from "./own-store.ts";

export type Change = Pick<LedgerNote, "code" | "message" | "about">;

/** For what gives somebody more: nothing is changed where nothing can be recorded. */
export async function changeOnRecord<Result>(
  io: CliIo,
  make: () => Promise<{ readonly result: Result; readonly changes: readonly Change[] }>,
): Promise<Result> {
  await using store = await openOwnStore(io);
  const { result, changes } = await make();
  for (const change of changes) await store.ledger.note(noteOf(change));
  return result;
}

/** For what takes something back: it is done by now, and a broken ledger is told, not in the way. */
export async function recordTakenBack(changes: readonly Change[], io: CliIo): Promise<void> {
  if (changes.length === 0) return;
  try {
    await using store = await openOwnStore(io);
    for (const change of changes) await store.ledger.note(noteOf(change));
  } catch (error) {
    throw new ToolgateError(`It is done, but the ledger has no note about it: ${messageOf(error)}`);
  }
}

function noteOf({ code, message, about }: Change): LedgerNote {
  const caller = answererName();
  const note = { at: Date.now(), code, caller, surface: "cli", message: `${caller} ${message}` };
  return about === undefined ? note : { ...note, about };
}
