import { describe, expect, it } from "vitest";
import { isInside } from "../../../../src/core/input/inside-folder.ts";

describe("a path", () => {
  it.each([
    ["/work", "/work"],
    ["/work/a", "/work"],
    ["/work/a/b", "/work"],
    ["/work/..a", "/work"],
    ["/work/a/../b", "/work"],
    ["/work/", "/work"],
    ["/work/a", "/work/"],
    ["/a", "/"],
    ["/", "/"],
  ])("%s is inside %s", (path, folder) => expect(isInside(path, folder)).toBe(true));

  it.each([
    ["/work-evil", "/work"],
    ["/work-evil/a", "/work"],
    ["/", "/work"],
    ["/work/..", "/work"],
    ["/work/../other", "/work"],
    ["/work/a/../../other", "/work"],
    ["/other/work", "/work"],
  ])("%s is not inside %s", (path, folder) => expect(isInside(path, folder)).toBe(false));
});
