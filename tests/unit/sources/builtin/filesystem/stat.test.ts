import { createHash } from "node:crypto";
import { chmodSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { stat } from "../../../../../src/sources/builtin/filesystem/stat.ts";
import { readingGate } from "../reading-gate.ts";
import { describeRefusals } from "../refusals.ts";

describeRefusals(stat, (path) => ({ path }), { files: { "a.txt": "alpha\n" }, path: "a.txt" });

describe("fs.stat", () => {
  it("tells kind, size, time and permissions", async () => {
    const { data, text, root } = await readingGate(stat, { "dir/a.txt": "alpha\n" });
    chmodSync(join(root, "dir/a.txt"), 0o640);
    utimesSync(join(root, "dir/a.txt"), 1_700_000_000, 1_700_000_000);
    expect(await data({ path: "dir/a.txt" })).toEqual({
      path: "dir/a.txt",
      kind: "file",
      size: 6,
      modified: "2023-11-14T22:13:20.000Z",
      mode: "0640",
    });
    expect(await text({ path: "dir/a.txt" })).toContain("size: 6 bytes");
    expect(await data({ file_path: "dir" })).toMatchObject({ path: "dir", kind: "directory" });
    expect(await data({ path: "." })).toMatchObject({ path: ".", kind: "directory" });
  });

  it("tells the hash on request", async () => {
    const { data } = await readingGate(stat, { "a.txt": "alpha\n" });
    const sha256 = createHash("sha256").update("alpha\n").digest("hex");
    expect(await data({ path: "a.txt", hash: true })).toMatchObject({ sha256 });
  });

  it("says that there is nothing", async () => {
    const { failure } = await readingGate(stat);
    expect(await failure({ path: "a.txt" })).toMatchObject({ code: "not_found" });
  });
});
