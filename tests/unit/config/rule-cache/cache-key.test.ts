import { describe, expect, it } from "vitest";
import { type CachePlace, cacheKey } from "../../../../src/config/rule-cache/cache-key.ts";

const place: CachePlace = {
  build: "1.0.0",
  cwd: "/home/ann/project",
  projectDir: undefined,
  configFile: undefined,
  variables: ["/home/ann", undefined],
};

describe("the key of a cache", () => {
  it("is another one for everything that chooses rules, and its file name is safe anywhere", () => {
    const others: CachePlace[] = [
      place,
      { ...place, build: "1.0.1" },
      { ...place, cwd: "/home/ann/project2" },
      { ...place, projectDir: "/home/ann/project" },
      { ...place, configFile: "/home/ann/project" },
      { ...place, variables: ["/home/bob", undefined] },
      { ...place, variables: [undefined, "/home/ann"] },
      { ...place, variables: ["/home/ann", ""] },
      { ...place, variables: ["/home/ann", "null"] },
      { ...place, cwd: '/home/ann/project","x' },
      { ...place, cwd: "" },
      { ...place, cwd: "é😀\ud800/../.." },
    ];
    const keys = others.map(cacheKey);
    expect(new Set(keys.map(({ text }) => text)).size).toBe(others.length);
    expect(new Set(keys.map(({ fileName }) => fileName)).size).toBe(others.length);
    for (const { fileName } of keys) expect(fileName).toMatch(/^[0-9a-f]{8,16}\.rules$/);
    expect(cacheKey({ ...place })).toEqual(cacheKey(place));
  });

  it("says which engine compiled the patterns", () => {
    for (const part of [process.version, process.arch, process.platform])
      expect(cacheKey(place).text).toContain(JSON.stringify(part));
  });
});
