/** Tells the ledger how much the categories of a gate allow: at its start, if that is not what was told last, and at every change. */

import type { Clock, Ledger, LedgerNote } from "../core/ports/ports.ts";
import {
  type Categories,
  type Category,
  type CategoryChange,
  shippedCategories,
} from "../core/tool/categories.ts";

export interface CategoryNotes {
  changed(change: CategoryChange): void;
  /** When all that was told is recorded. Rejects if something could not be: once. */
  recorded(): Promise<void>;
}

export function createCategoryNotes(ledger: Ledger, clock: Clock, owner: string): CategoryNotes {
  let waiting: Promise<unknown>[] = [];
  const add = (
    note: Pick<LedgerNote, "code" | "caller" | "surface" | "message" | "about">,
    state?: { readonly name: string; readonly text: string },
  ): void => {
    const written = (async () => ledger.note?.({ at: clock.now(), ...note }, state))();
    // Whoever asks hears of it.
    written.catch(() => {});
    waiting.push(written);
  };
  return {
    changed({ before, after, by = { caller: owner, surface: "library" } }) {
      if (before?.enabled === after.enabled && before.ceiling === after.ceiling) return;
      const { id, enabled, ceiling } = after;
      add({
        code: "category_changed",
        ...by,
        message: `${by.caller} sets the category ${id} to ${described(after)}${before ? `; before it was ${described(before)}` : ""}.`,
        about: { category: id, enabled, ceiling },
      });
    },
    async recorded() {
      const all = waiting;
      waiting = [];
      await Promise.all(all);
    },
  };
}

/** One note for as long as every start chooses the same: not one for each command. */
export function noteStart(
  ledger: Ledger,
  clock: Clock,
  { categories, owner }: { readonly categories: Categories; readonly owner: string },
): void | Promise<void> {
  const shipped = new Map(shippedCategories.map((category) => [category.id, described(category)]));
  const others = categories.list().filter((category) => shipped.get(category.id) !== described(category));
  const text = others.map((category) => `${category.id} ${described(category)}`).join(", ");
  const about = Object.fromEntries(others.map((category) => [category.id, described(category)]));
  const message =
    text === ""
      ? "A gate was started with all categories as they are by default."
      : `A gate was started with categories that are not as they are by default: ${text}.`;
  return ledger.note?.(
    { at: clock.now(), code: "categories_started", caller: owner, surface: "start", message, about },
    { name: "categories", text },
  );
}

function described({ enabled, ceiling }: Category): string {
  return enabled ? ceiling : `off (${ceiling})`;
}
