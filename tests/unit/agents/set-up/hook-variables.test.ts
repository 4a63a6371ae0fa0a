import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { hookVariables, mayProjectSet } from "../../../../src/agents/set-up/hook-variables.ts";
import { placeVariables } from "../../../../src/surfaces/hook/process/find-place.ts";

it("the script starts Node with the very list", () => {
  const script = readFileSync(
    new URL("../../../../src/surfaces/hook/process/hook.sh", import.meta.url),
    "utf8",
  );
  const cases = /case \$tg_one in([\s\S]*?)\*\) unset/.exec(script)?.[1] ?? "";
  const listed = [...cases.matchAll(/^ +([A-Z_|]+)\) ;;$/gm)].flatMap(([, names = ""]) => names.split("|"));
  expect(listed).toEqual(hookVariables);
});

it("what decides which rules hold reaches the process as it reaches the server", () => {
  expect(hookVariables).toEqual(expect.arrayContaining([...placeVariables]));
});

it("a project may set none of the variables that say where things are", () => {
  for (const name of [...placeVariables, "PATH", "TMPDIR", "XDG_CACHE_HOME", "SHELL"])
    expect(mayProjectSet(name), name).toBe(false);
});
