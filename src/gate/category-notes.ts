/** Tells the ledger what the categories of a gate allow: at the start, if that is new, and at changes. */

import type { Clock, Ledger } from "../core/ports/ports.ts";
import {
  type Categories,
  type Category,
  type CategoryChange,
  shippedCategories,
} from "../core/tool/categories.ts";

export interface CategoryNotes {
  /** One note for as long as every start chooses the same: not one for each command. */
  started(categories: Categories): void | Promise<void>;
  changed(change: CategoryChange): void;
  /** When all that was told is recorded. Rejects if something could not be: once. */
  recorded(): Promise<void>;
}

export function createCategoryNotes(ledger: Ledger, clock: Clock, owner: string): CategoryNotes {
  let waiting: Promise<unknown>[] = [];
  return {
    started(categories) {
      const shipped = new Map(shippedCategories.map((category) => [category.id, described(category)]));
      const others = categories
        .list()
        .map((category) => [category.id, described(category)] as const)
        .filter(([id, state]) => shipped.get(id) !== state);
      const text = others.map(([id, state]) => `${id} ${state}`).join(", ");
      const message =
        text === ""
          ? "A gate was started with all categories as they are by default."
          : `A gate was started with categories that are not as they are by default: ${text}.`;
      const about = Object.fromEntries(others);
      return ledger.note?.(
        { at: clock.now(), code: "categories_started", caller: owner, surface: "start", message, about },
        { name: "categories", text },
      );
    },
    changed({ before, after, by = { caller: owner, surface: "library" } }) {
      if (before?.enabled === after.enabled && before.ceiling === after.ceiling) return;
      const { id, enabled, ceiling } = after;
      const message = `${by.caller} sets the category ${id} to ${described(after)}${before ? `; before it was ${described(before)}` : ""}.`;
      const about = { category: id, enabled, ceiling };
      const at = clock.now();
      const written = (async () => ledger.note?.({ at, code: "category_changed", ...by, message, about }))();
      // Whoever asks hears of a failure.
      written.catch(() => {});
      waiting.push(written);
    },
    async recorded() {
      const all = waiting;
      waiting = [];
      await Promise.all(all);
    },
  };
}

function described({ enabled, ceiling }: Category): string {
  return enabled ? ceiling : `off (${ceiling})`;
}
