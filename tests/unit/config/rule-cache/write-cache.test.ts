import { existsSync, mkdirSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { openRuleCache } from "../../../../src/config/rule-cache/read-cache.ts";
import { writeRuleCache } from "../../../../src/config/rule-cache/write-cache.ts";
import { bytesOf, createPlace, key, seal, sealed } from "./cache-world.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

function aged(file: string, ms: number): string {
  writeFileSync(file, "x");
  const at = (Date.now() - ms) / 1_000;
  utimesSync(file, at, at);
  return file;
}

describe("writing a cache", () => {
  it("makes the folders and the file for this user alone, and leaves nothing else behind", () => {
    const place = createPlace();
    rmSync(dirname(place.folder), { recursive: true });
    expect(writeRuleCache(place.file, sealed(bytesOf()))).toBeUndefined();
    expect(readdirSync(place.folder)).toEqual(["one.rules"]);
    expect(statSync(place.file).mode & 0o777).toBe(0o600);
    expect(statSync(place.folder).mode & 0o777).toBe(0o700);
  });

  it("replaces the file as a whole: who has the old one open keeps it", () => {
    const place = createPlace();
    writeRuleCache(place.file, sealed(bytesOf()));
    const old = openRuleCache(place.file, key, seal);
    writeRuleCache(place.file, sealed(bytesOf({})));
    expect(old?.rules.routesFor(() => true)).toHaveLength(7);
    old?.close();
    const now = openRuleCache(place.file, key, seal);
    expect(now?.rules.routesFor(() => true)).toHaveLength(0);
    now?.close();
  });

  it("says why it could not, and leaves what was there", () => {
    const place = createPlace();
    mkdirSync(join(place.file, "in-the-way"), { recursive: true });
    expect(writeRuleCache(place.file, sealed(bytesOf()))).toMatch(
      /^The rule cache .*one\.rules cannot be written: E(ISDIR|EXIST|NOTEMPTY)/,
    );
    expect(readdirSync(place.folder)).toEqual(["one.rules"]);
  });

  // It was written; what cannot be tidied up must not turn that into a failure.
  it("is not stopped by a folder that is called like an old cache", () => {
    const place = createPlace();
    const folder = join(place.folder, "old.rules");
    mkdirSync(folder);
    utimesSync(folder, 1, 1);
    expect(writeRuleCache(place.file, sealed(bytesOf()))).toBeUndefined();
  });

  it("removes what nobody has used for a month and what a killed process left", () => {
    const place = createPlace();
    const gone = [
      aged(join(place.folder, "old.rules"), 31 * dayMs),
      aged(join(place.folder, "x.rules.1.tmp"), 2 * hourMs),
    ];
    const kept = [
      aged(join(place.folder, "recent.rules"), 29 * dayMs),
      aged(join(place.folder, "y.rules.2.tmp"), hourMs / 2),
      aged(join(place.folder, "not-ours.txt"), 400 * dayMs),
    ];
    writeRuleCache(place.file, sealed(bytesOf()));
    expect(gone.filter((file) => existsSync(file))).toEqual([]);
    expect(kept.filter((file) => !existsSync(file))).toEqual([]);
  });

  it("keeps a bounded number of files, the newest", () => {
    const place = createPlace();
    for (let index = 0; index < 120; index++)
      aged(join(place.folder, `f${String(index).padStart(3, "0")}.rules`), (index + 1) * 60_000);
    writeRuleCache(place.file, sealed(bytesOf()));
    const left = readdirSync(place.folder).sort();
    expect(left).toHaveLength(100);
    expect(left).toContain("one.rules");
    expect(left).toContain("f098.rules");
    expect(left).not.toContain("f099.rules");
  });
});
