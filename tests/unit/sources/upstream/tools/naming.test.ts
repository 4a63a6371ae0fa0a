import { describe, expect, it } from "vitest";
import { maxToolNameLength } from "../../../../../src/core/tool/tool-name.ts";
import { findClashes, upstreamToolId } from "../../../../../src/sources/upstream/tools/naming.ts";

describe("the name of an upstream's tool", () => {
  it("is the server's and the tool's", () => {
    expect(upstreamToolId("github", "get_issue")).toBe("github__get_issue");
  });

  it("is never longer than model APIs take, and tells two long ones apart by their ends", () => {
    const long = "a".repeat(100);
    const one = upstreamToolId("github", `${long}_1`);
    const other = upstreamToolId("github", `${long}_2`);
    expect(one).toHaveLength(maxToolNameLength);
    expect(one).not.toBe(other);
    expect(one.startsWith("github__aaaa")).toBe(true);
  });

  it("stays as it is at the longest that fits", () => {
    const fits = "a".repeat(maxToolNameLength - "github__".length);
    expect(upstreamToolId("github", fits)).toBe(`github__${fits}`);
  });

  it("depends on nothing but the two names", () => {
    const name = "search.everything/in all places";
    expect(upstreamToolId("docs", name)).toBe("docs__search_everything_in_all_places_e209a183");
  });

  it("does not let a dot and an underscore mean the same tool", () => {
    expect(upstreamToolId("x", "a.b")).not.toBe(upstreamToolId("x", "a_b"));
  });

  it("is refused to the later of two that differ in case only, whatever order the server lists them in", () => {
    const expected = new Map([["read", "READ"]]);
    expect(findClashes("x", ["read", "READ", "write"])).toEqual(expected);
    expect(findClashes("x", ["READ", "write", "read"])).toEqual(expected);
  });
});
