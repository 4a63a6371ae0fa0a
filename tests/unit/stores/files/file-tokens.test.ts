import { mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { TokenStore } from "../../../../src/core/ports/tokens.ts";
import { createFileTokens } from "../../../../src/stores/files/file-tokens.ts";
import { tokenRecord } from "../../../contract/samples.ts";
import { temporaryFolder } from "../sqlite/temporary-store.ts";

const add = (tokens: TokenStore, name: string) =>
  tokens.change((now) => ({ tokens: [...now, tokenRecord(name)], result: undefined }));

describe("tokens in a file", () => {
  it("are read as they were always written, and written so that they can be read by everybody before", async () => {
    const state = temporaryFolder();
    const file = join(state, "tokens.json");
    const text = `${JSON.stringify({ version: 1, tokens: [tokenRecord("ci")] }, null, 2)}\n`;
    writeFileSync(file, text, { mode: 0o600 });
    const tokens = createFileTokens(state);
    expect((await tokens.list()).tokens).toEqual([tokenRecord("ci")]);
    await add(tokens, "other");
    await tokens.change((now) => ({ tokens: now.filter(({ name }) => name === "ci"), result: undefined }));
    expect(readFileSync(file, "utf8")).toBe(text);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it.each([
    ["a right that nobody knows", { rights: ["root"] }],
    ["a hash that is none", { sha256: "abc" }],
    ["an end that is no time", { expiresAt: "soon" }],
  ])("count for nothing as soon as one of them has %s", async (_, part) => {
    const state = temporaryFolder();
    const list = { version: 1, tokens: [tokenRecord("ci"), { ...tokenRecord("bad"), ...part }] };
    writeFileSync(join(state, "tokens.json"), JSON.stringify(list), { mode: 0o600 });
    expect(await createFileTokens(state).list()).toMatchObject({ ok: false, tokens: [] });
  });

  it.each([
    ["a folder", (lock: string) => mkdirSync(lock)],
    ["a file, as older versions had it", (lock: string) => writeFileSync(lock, "1")],
  ])("can be changed although a process died that had locked them: %s", async (_, make) => {
    const state = temporaryFolder();
    const lock = join(state, "tokens.json.lock");
    make(lock);
    utimesSync(lock, new Date(Date.now() - 60_000), new Date(Date.now() - 60_000));
    await add(createFileTokens(state), "ci");
    expect((await createFileTokens(state).list()).tokens).toHaveLength(1);
  });
});
