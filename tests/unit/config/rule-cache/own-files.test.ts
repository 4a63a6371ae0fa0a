import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, linkSync, mkdirSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkOwnFolder, openOwnFile } from "../../../../src/config/rule-cache/own-files.ts";
import { openRuleCache } from "../../../../src/config/rule-cache/read-cache.ts";
import { writeRuleCache } from "../../../../src/config/rule-cache/write-cache.ts";
import { bytesOf, createPlace, key, type Place, seal, sealed } from "./cache-world.ts";

const isRoot = process.getuid?.() === 0;

function withCache(): Place {
  const place = createPlace();
  place.write(sealed(bytesOf()));
  return place;
}

function isBelieved({ file }: Place): boolean {
  const cache = openRuleCache(file, key, seal);
  cache?.close();
  return cache !== undefined;
}

describe("a cache file", () => {
  it.each([
    ...[0o600, 0o644, 0o400].map((mode) => [mode, true] as const),
    ...[0o666, 0o660, 0o602, 0o620, 0o622].map((mode) => [mode, false] as const),
  ])("of mode %o is believed if only its owner can write it: %s", (mode, believed) => {
    const place = withCache();
    chmodSync(place.file, mode);
    expect(isBelieved(place)).toBe(believed);
  });

  it.runIf(isRoot)("that belongs to somebody else is not", () => {
    const place = withCache();
    chownSync(place.file, 65_534, 65_534);
    expect(isBelieved(place)).toBe(false);
  });

  it("that is only a link to one is not, wherever the link leads", () => {
    const place = withCache();
    const other = `${place.file}.other`;
    linkSync(place.file, other);
    rmSync(place.file);
    symlinkSync(other, place.file);
    expect(isBelieved(place)).toBe(false);
    rmSync(other);
    expect(isBelieved(place)).toBe(false);
  });

  it.skipIf(process.platform === "win32")(
    "that is a folder or a pipe is not, and nothing waits for it",
    () => {
      const place = createPlace();
      mkdirSync(place.file);
      expect(isBelieved(place)).toBe(false);
      rmSync(place.file, { recursive: true });
      execFileSync("mkfifo", [place.file]);
      expect(isBelieved(place)).toBe(false);
      expect(openOwnFile("/dev/null")).toBeUndefined();
    },
  );
});

describe("the folder of the cache", () => {
  it("is fine when it belongs to this user alone, and when it is not there yet", () => {
    const { folder } = createPlace();
    for (const mode of [0o700, 0o755, 0o750]) {
      chmodSync(folder, mode);
      expect(checkOwnFolder(folder)).toEqual({ ok: true, exists: true });
    }
    expect(checkOwnFolder(join(folder, "not-there"))).toEqual({ ok: true, exists: false });
  });

  it.each([0o777, 0o770, 0o1777, 0o702])(
    "is refused with mode %o, and the message says what to do",
    (mode) => {
      const place = withCache();
      chmodSync(place.folder, mode);
      expect(checkOwnFolder(place.folder)).toEqual({
        ok: false,
        message: `${place.folder} can be written by others, so nothing in it can be believed. Make it yours alone: chown and chmod 700 it, or remove it.`,
      });
    },
  );

  it.runIf(isRoot)("is refused when it belongs to somebody else", () => {
    const { folder } = createPlace();
    chownSync(folder, 65_534, 65_534);
    expect(checkOwnFolder(folder)).toMatchObject({
      ok: false,
      message: expect.stringContaining("belongs to user 65534, not to you (0)"),
    });
  });

  it("is refused when it is a file", () => {
    const { file } = withCache();
    expect(checkOwnFolder(file)).toEqual({ ok: false, message: `${file} is not a folder: remove it.` });
  });

  it("may be a link, but not to a folder that others can write", () => {
    const { folder } = createPlace();
    const link = join(dirname(folder), "link");
    symlinkSync(folder, link);
    expect(checkOwnFolder(link)).toEqual({ ok: true, exists: true });
    chmodSync(folder, 0o777);
    expect(checkOwnFolder(link)).toMatchObject({ ok: false });
  });

  it("gets no file while others can write to it", () => {
    const place = createPlace();
    chmodSync(place.folder, 0o777);
    expect(writeRuleCache(place.file, sealed(bytesOf()))).toContain("can be written by others");
    expect(readdirSync(place.folder)).toEqual([]);
  });
});
