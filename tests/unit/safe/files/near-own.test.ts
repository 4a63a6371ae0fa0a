import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { createNearOwn } from "../../../../src/safe/files/near-own.ts";

const base = realpathSync(mkdtempSync(join(tmpdir(), "near-")));
afterAll(() => rmSync(base, { recursive: true }));
const state = join(base, "home/data/gate");
const programs = join(base, "project/node_modules/gate/dist");
const project = join(base, "project");
for (const folder of [state, programs, join(project, "src/deep")]) mkdirSync(folder, { recursive: true });
symlinkSync(state, join(project, "src/deep/docs"));
symlinkSync(join(base, "home"), join(base, "other-home"));
symlinkSync(join(state, "not-there"), join(project, "src/dangling"));
symlinkSync("loop", join(project, "src/loop"));
const near = createNearOwn({ statePaths: [join(base, "other-home/data/gate")], programPaths: [programs] });

describe("a look whether a call could touch what is ours", () => {
  it.each([
    "npm test",
    "git status && git diff --stat",
    "cat src/index.ts",
    "cat src/loop",
    "cd src && cat deep/notes",
    "sed -n 1,20p src/a.ts",
    "echo done > /tmp/x",
    "node scripts/build.mjs --out=src",
  ])("lets an ordinary line pass: %s", (line) => {
    expect(near.command(line, project)).toBe(false);
  });

  it.each([
    "cat src/deep/docs/token",
    "touch src/deep/docs/not-there-yet",
    "echo x > src/dangling",
    "cd src/deep && cat docs/token",
    "cd src && cd deep && cat docs/token",
    "git -C src/deep add docs",
    "cat --file=src/deep/docs",
    "cat -fsrc/deep/docs",
    "rm -r HOME/data",
    "rm -r HOME",
    "cat HOME/data/gate/token",
    "CAT HOME/Data/GATE/token",
    "cat ../home/x",
    "rm -r node_modules",
    "$x trust",
    "`x` trust",
    "t?o trust",
    "tool\\\ngate trust",
    'to"ol"gate trust',
    "cd; ls",
    "cat ~root/x",
    "cat names | xargs rm",
  ])("wants a real look at: %s", (line) => {
    expect(near.command(line.replaceAll("HOME", join(base, "home")), project)).toBe(true);
  });

  it("wants one at every line that runs in or above our folders, but not in a project that has our package", () => {
    for (const cwd of [base, join(base, "home"), state, programs, "relative"])
      expect(near.command("grep -r x", cwd), cwd).toBe(true);
    expect(near.command("grep -r x", project)).toBe(false);
  });

  it("follows links and folders that are not there yet in paths of file tools", () => {
    expect(near.path("src/a.ts", project)).toBe(false);
    expect(near.path("src/deep/docs/new/file", project)).toBe(true);
    expect(near.path(join(base, "home"), project)).toBe(true);
  });
});
