/** A copy of the hook that somebody else could change is made again. */
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { planCopy } from "../../../../src/surfaces/cli/commands/install/hook-copies.ts";

function createCopy() {
  const base = mkdtempSync(join(tmpdir(), "toolgate-copies-"));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  mkdirSync(join(base, "package"));
  for (const name of ["hook.cjs", "hook.sh", "main.cjs"]) writeFileSync(join(base, "package", name), name);
  const copy = planCopy(join(base, "package/hook.cjs"), join(base, "data"));
  expect(copy.make()).toBe(true);
  return { base, copy, folder: dirname(copy.bundle) };
}

it("leaves a copy alone that is as it should be", () => {
  const { copy } = createCopy();
  expect(copy.make()).toBe(false);
});

it("replaces a file that is a link to one with the same bytes", () => {
  const { base, copy, folder } = createCopy();
  renameSync(join(folder, "main.cjs"), join(base, "elsewhere"));
  symlinkSync(join(base, "elsewhere"), join(folder, "main.cjs"));
  expect(copy.make()).toBe(true);
  expect(lstatSync(join(folder, "main.cjs")).isFile()).toBe(true);
});

it("replaces a folder that is a link to one with the same files", () => {
  const { base, copy, folder } = createCopy();
  renameSync(folder, join(base, "elsewhere"));
  symlinkSync(join(base, "elsewhere"), folder);
  expect(copy.make()).toBe(true);
  expect(lstatSync(folder).isDirectory()).toBe(true);
});

it.runIf(process.getuid !== undefined)("closes a folder into which others can write", () => {
  const { copy, folder } = createCopy();
  chmodSync(folder, 0o777);
  expect(copy.make()).toBe(true);
  expect(lstatSync(folder).mode & 0o777).toBe(0o700);
});
