import { describe, expect, it } from "vitest";
import { closestNames, explainBadToolId, toWireName } from "../../../../src/core/tool/tool-name.ts";

describe("a tool id", () => {
  const plain = ["fs.read", "read", "a-b_c.d", "7zip", "a.b.c", "server__tool", "_x", "-x", "__x", "-"];
  it.each([...plain, "x".repeat(64)])("may be %j", (id) => {
    expect(explainBadToolId(id)).toBeUndefined();
  });

  it.each([
    ...["", ".", "a.", ".a", "a..b", "a b", "a/b", "é", "a\u200b", "a\n", "__proto__", "__defineGetter__"],
    ...["____", "-.", "x".repeat(65), undefined, 7, null],
  ])("may not be %j", (id) => {
    expect(explainBadToolId(id)).toMatch(/./);
  });

  it("is explained briefly and with nothing hidden, however long or odd it is", () => {
    expect(explainBadToolId("\u202e".repeat(10_000))?.length).toBeLessThan(500);
    expect(explainBadToolId("a\u200bb")).not.toContain("\u200b");
  });

  it("loses its dots on the wire", () => {
    expect(["fs.read", "a.b.c", "plain"].map(toWireName)).toEqual(["fs_read", "a_b_c", "plain"]);
  });
});

describe("close names", () => {
  const known = ["fs.read", "fs.write", "shell.exec", "git.status"];

  it.each([
    ["fs.raed", "fs.read"],
    ["FS.READ", "fs.read"],
    ["git.stats", "git.status"],
    ["exec", "shell.exec"],
  ])("offer for %j the name %j first", (wanted, first) => {
    expect(closestNames(wanted, known)[0]).toBe(first);
  });

  it.each(["", "x", "zebra", "y".repeat(10_000)])("offer nothing for %j", (wanted) => {
    expect(closestNames(wanted, known)).toEqual([]);
  });

  it("are at most as many as asked for", () => {
    expect(closestNames("fs.rite", known, 1)).toEqual(["fs.write"]);
  });
});
