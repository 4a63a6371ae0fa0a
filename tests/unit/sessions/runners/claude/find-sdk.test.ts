import { mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  explainMissingSdk,
  loadSdk,
  refuseInside,
} from "../../../../../src/sessions/runners/claude/find-sdk.ts";

const name = "@anthropic-ai/claude-agent-sdk";

/** A folder with an SDK in its `node_modules`. */
function installed({ version = "0.3.325", withProgram = true } = {}): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "find-sdk-")));
  const write = (path: string, text: string) => {
    mkdirSync(join(folder, "node_modules", path, ".."), { recursive: true });
    writeFileSync(join(folder, "node_modules", path), text);
  };
  const about = { name, version, type: "module", exports: { ".": { default: "./sdk.mjs" } } };
  write(`${name}/package.json`, JSON.stringify(about));
  write(`${name}/sdk.mjs`, "export const query = () => 'asked';\n");
  if (withProgram) write(`${name}-${process.platform}-${process.arch}/package.json`, "{}");
  return folder;
}

describe("the Claude Agent SDK", () => {
  it("is found where toolgate was told to look, and loaded from there", async () => {
    const place = { lookIn: [installed()], executable: undefined };
    expect(explainMissingSdk(place)).toBeUndefined();
    const { query } = await loadSdk(place, "/nowhere");
    expect((query as () => unknown)()).toBe("asked");
  });

  it("is missing with a message that says how to install it, and its program", () => {
    const empty = realpathSync(mkdtempSync(join(tmpdir(), "no-sdk-")));
    const missing = (lookIn: string, executable?: string) =>
      explainMissingSdk({ lookIn: [lookIn], executable });
    expect(missing(empty)).toBe(
      `The Claude Agent SDK is not installed. Install it beside toolgate, with its optional packages: \`npm install -g ${name}\`, or \`npm install --prefix ${empty} ${name}\`.`,
    );
    expect(missing(installed({ version: "0.2.9" }))).toContain("is version 0.2.9; 0.3 or later is needed");
    const bare = installed({ withProgram: false });
    expect(missing(bare)).toContain(`lacks the program for ${process.platform}-${process.arch}`);
    expect(missing(bare, "/usr/bin/claude")).toBeUndefined();
  });

  it("is never loaded from the folder of the session, nor is a program of that folder started", async () => {
    const folder = installed();
    const place = { lookIn: [folder], executable: undefined };
    await expect(loadSdk(place, folder)).rejects.toMatchObject({
      code: "runner_missing",
      message: expect.stringContaining("where the agent could change it"),
    });
    // By another name it is still the same file.
    const link = join(realpathSync(mkdtempSync(join(tmpdir(), "sdk-link-"))), "claude");
    symlinkSync(join(folder, "node_modules"), link);
    expect(() => refuseInside(link, folder)).toThrow("where the agent could change it");
    expect(() => refuseInside("/bin/sh", folder)).not.toThrow();
  });
});
