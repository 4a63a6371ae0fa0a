import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

it("asks of V8 only what it knows: else it would complain on standard error of every server", () => {
  const source = readFileSync("src/surfaces/cli/serving-heap.ts", "utf8");
  const flags = [...source.matchAll(/setFlagsFromString\(["`]--(?:no-)?([a-z-]+)/g)].map(([, name]) => name);
  expect(flags).toContain("turbofan");
  const known = execFileSync(process.execPath, ["--v8-options"], { encoding: "utf8" });
  for (const flag of flags) expect(known).toContain(`\n  --${flag} (`);
});
