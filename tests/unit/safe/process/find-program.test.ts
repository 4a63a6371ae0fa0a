import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { findProgram } from "../../../../src/safe/process/find-program.ts";

const base = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-find-")));
afterAll(() => rmSync(base, { recursive: true, force: true }));

function program(folder: string, name = "some-tool", mode = 0o755): string {
  mkdirSync(join(base, folder), { recursive: true });
  writeFileSync(join(base, folder, name), "#!/bin/sh\n");
  chmodSync(join(base, folder, name), mode);
  return join(base, folder);
}

describe.skipIf(process.platform === "win32")("finding a program", () => {
  it("takes the first in PATH that can be run", () => {
    const path = [
      program("plain", "some-tool", 0o644),
      join(base, "missing"),
      program("one"),
      program("two"),
    ];
    mkdirSync(join(base, "folder/some-tool"), { recursive: true });
    expect(findProgram("some-tool", [], [join(base, "folder"), ...path].join(":"))).toBe(
      join(base, "one/some-tool"),
    );
    expect(findProgram("no-such-tool", [], path.join(":"))).toBeUndefined();
  });

  it("passes over the workspace, also behind a link, over relative folders and over those of npm", () => {
    const inside = program("root/bin");
    symlinkSync(inside, join(base, "way-in"));
    const npm = program("project/node_modules/.bin");
    const outside = program("outside");
    const path = [inside, join(base, "way-in"), "bin", ".", "", npm, outside].join(":");
    expect(findProgram("some-tool", [join(base, "root")], path)).toBe(join(outside, "some-tool"));
  });

  it("prefers the system's own", () => {
    expect(findProgram("sh", [], program("three", "sh"))).toMatch(/^\/(?:usr\/)?bin\/sh$/);
  });
});
