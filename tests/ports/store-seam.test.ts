import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const src = resolve(dirname(fileURLToPath(import.meta.url)), "../../src");
const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));

/** Files outside of a folder that get a module of it, in any way. */
function importersOf(folder: string): string[] {
  return (
    files
      .filter((file) => !file.startsWith(folder))
      // It reads one kind of store and writes another.
      .filter((file) => !file.startsWith("stores/move/"))
      .filter((file) => {
        const text = readFileSync(join(src, file), "utf8");
        const named = [...text.matchAll(/["'](\.{1,2}\/[^"'\n]+)["']/g)].map(([, name = ""]) => name);
        return named.some((name) => relative(src, resolve(src, dirname(file), name)).startsWith(folder));
      })
      .sort()
  );
}

it("which kind of store there is, is known where a program's store is opened, and nowhere else", () => {
  expect(importersOf("stores/sqlite/")).toEqual(["open/open-store.ts", "open/start-store-thread.ts"]);
});

it("the files of pins, tokens and ended tasks are reached through the port alone", () => {
  expect(importersOf("stores/files/")).toEqual([
    "open/open-store.ts",
    "open/open-tasks.ts",
    "stores/postgres/postgres-store.ts",
    "stores/sqlite/sqlite-store.ts",
  ]);
});
