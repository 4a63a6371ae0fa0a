import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { chooseWorkspace } from "../../../../src/surfaces/cli/commands/serve/mcp-workspace.ts";
import type { CliIo } from "../../../../src/surfaces/cli/terminal/io.ts";

let home: string;
const io = (cwd: string) => ({ cwd, env: { HOME: home } }) as unknown as CliIo;

beforeAll(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-home-")));
  mkdirSync(join(home, "project"));
  symlinkSync(home, join(home, "again"));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

it("is the folder it was started in", () => {
  expect(chooseWorkspace(undefined, io(join(home, "project")))).toEqual({
    ok: true,
    folder: join(home, "project"),
  });
});

it.each([
  ["the home folder", () => home],
  ["a link to it", () => join(home, "again")],
  ["the root", () => "/"],
])("is not %s, unless that was said", (_what, folder) => {
  expect(chooseWorkspace(undefined, io(folder()))).toMatchObject({
    ok: false,
    message: expect.stringContaining("--workspace FOLDER"),
  });
  expect(chooseWorkspace(".", io(folder()))).toEqual({ ok: true, folder: folder() });
});

it("is no folder that is not there, such as a variable that the client did not know", () => {
  expect(chooseWorkspace("$workspaceFolder", io(home))).toMatchObject({ ok: false });
});
