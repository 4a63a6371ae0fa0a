import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { redactText } from "../../../../../src/safe/redact/redact.ts";
import { createFileTokens } from "../../../../../src/stores/files/file-tokens.ts";
import { giveToken, makeToken, revokeTokens } from "../../../../../src/surfaces/http/tokens/give-token.ts";
import { openTokenFile } from "../../../../../src/surfaces/http/tokens/owner-token.ts";
import { createTokenCheck } from "../../../../../src/surfaces/http/tokens/token-check.ts";

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("the tokens of a state folder", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "toolgate-tokens-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it("have 256 bits and are never the same", () => {
    const tokens = Array.from({ length: 1_000 }, makeToken);
    expect(new Set(tokens).size).toBe(1_000);
    for (const token of tokens) expect(Buffer.from(token.slice(4), "base64url")).toHaveLength(32);
  });

  it("name their holder, rights and capabilities", async () => {
    const { token } = await giveToken(createFileTokens(folder), {
      name: "ci",
      rights: ["call"],
      capabilities: ["fs:read"],
    });
    const found = await createTokenCheck({ tokens: createFileTokens(folder) }).find(token);
    expect(found?.caller).toEqual({ id: "ci", capabilities: ["fs:read"], rights: ["call"] });
    expect([...(found?.rights ?? [])]).toEqual(["call"]);
  });

  it("count until they expire, and not at that moment", async () => {
    let now = Date.now();
    const { token } = await giveToken(
      createFileTokens(folder),
      { name: "ci", rights: ["call"], expiresInMs: 1_000 },
      new Date(now),
    );
    const check = createTokenCheck({ tokens: createFileTokens(folder), now: () => now });
    now += 999;
    expect(await check.find(token)).toBeDefined();
    now += 1;
    expect(await check.find(token)).toBeUndefined();
  });

  it("count from when they are given to when they are taken back, in a check that is already running", async () => {
    const check = createTokenCheck({ tokens: createFileTokens(folder) });
    const { token } = await giveToken(createFileTokens(folder), { name: "ci", rights: ["call"] });
    await turn();
    expect(await check.find(token)).toBeDefined();
    await revokeTokens(createFileTokens(folder), ["ci"]);
    await turn();
    expect(await check.find(token)).toBeUndefined();
  });

  it("can be replaced under the same name, and then only the new one counts", async () => {
    const first = await giveToken(createFileTokens(folder), { name: "ci", rights: ["call"] });
    const second = await giveToken(createFileTokens(folder), { name: "ci", rights: ["call"], replace: true });
    const check = createTokenCheck({ tokens: createFileTokens(folder) });
    expect(await check.find(first.token)).toBeUndefined();
    expect(await check.find(second.token)).toBeDefined();
  });

  it("are all kept when many are given at the same time", async () => {
    const names = Array.from({ length: 20 }, (_, index) => `agent-${index}`);
    await Promise.all(names.map((name) => giveToken(createFileTokens(folder), { name, rights: ["call"] })));
    const { tokens } = await createFileTokens(folder).list();
    expect(tokens.map(({ name }) => name).sort()).toEqual([...names].sort());
  });

  it("do not count while others could have written the list", async () => {
    const { token } = await giveToken(createFileTokens(folder), { name: "ci", rights: ["call"] });
    const told: string[] = [];
    const check = createTokenCheck({
      tokens: createFileTokens(folder),
      onUnreadable: (message) => told.push(message),
    });
    chmodSync(join(folder, "tokens.json"), 0o622);
    expect(await check.find(token)).toBeUndefined();
    expect(told).toHaveLength(1);
    expect(told[0]).toContain("chmod 600");
  });

  it("are not lost when the list cannot be read", async () => {
    writeFileSync(join(folder, "tokens.json"), "{ broken", { mode: 0o600 });
    await expect(giveToken(createFileTokens(folder), { name: "ci", rights: ["call"] })).rejects.toThrow(
      "cannot be used",
    );
    expect(readFileSync(join(folder, "tokens.json"), "utf8")).toBe("{ broken");
  });

  it("are recognised and hidden wherever text is recorded", () => {
    const token = makeToken();
    expect(redactText(`the token is ${token}, keep it`)).not.toContain(token);
  });

  it("has one of the owner in a private file, made once", async () => {
    const file = join(folder, "token");
    const record = openTokenFile(file, { name: "owner" });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(openTokenFile(file, { name: "owner" })).toEqual(record);
    const check = createTokenCheck({ tokens: createFileTokens(folder), besides: [record] });
    expect((await check.find(readFileSync(file, "utf8").trim()))?.caller.id).toBe("owner");
  });

  it("refuses an owner's file that others can read, that is empty, or that is no file", () => {
    const file = join(folder, "token");
    openTokenFile(file, { name: "owner" });
    chmodSync(file, 0o640);
    expect(() => openTokenFile(file, { name: "owner" })).toThrow("Others can read");
    const empty = join(folder, "empty");
    writeFileSync(empty, "\n", { mode: 0o600 });
    expect(() => openTokenFile(empty, { name: "owner" })).toThrow("does not hold a token");
    const link = join(folder, "link");
    symlinkSync(folder, link);
    expect(() => openTokenFile(link, { name: "owner" })).toThrow("is not a file");
  });
});
