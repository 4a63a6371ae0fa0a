import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { maxTextBytes, readTextFile } from "../../../../../src/safe/files/documents/read-text-file.ts";
import { createWorld } from "../../../config/world.ts";

describe("reading a text file", () => {
  it("gives its text and the hash of its bytes", () => {
    const { write } = createWorld();
    const file = write("toolgate.yaml", "routes: {} # é\n");
    const sha256 = createHash("sha256").update("routes: {} # é\n").digest("hex");
    expect(readTextFile(file)).toEqual({ ok: true, text: "routes: {} # é\n", sha256 });
  });

  it("tells a missing file from one that cannot be read", () => {
    const { project } = createWorld();
    expect(readTextFile(join(project, "none.yaml"))).toMatchObject({ ok: false, missing: true });
    mkdirSync(join(project, "folder.yaml"));
    expect(readTextFile(join(project, "folder.yaml"))).toMatchObject({ ok: false, missing: false });
  });

  it("does not wait for a pipe that nobody writes to", () => {
    const { project } = createWorld();
    const pipe = join(project, "toolgate.yaml");
    expect(spawnSync("mkfifo", [pipe]).status).toBe(0);
    expect(readTextFile(pipe)).toMatchObject({ ok: false, message: "It is not a regular file." });
  });

  it("refuses what is too long or not UTF-8", () => {
    const { project, write } = createWorld();
    const exact = write("exact.yaml", "#".repeat(maxTextBytes));
    expect(readTextFile(exact).ok).toBe(true);
    const long = write("long.yaml", "#".repeat(maxTextBytes + 1));
    expect(readTextFile(long)).toMatchObject({ ok: false, missing: false });
    const latin = join(project, "latin.yaml");
    writeFileSync(latin, Buffer.from([0x23, 0xe9, 0x0a]));
    expect(readTextFile(latin)).toMatchObject({ ok: false, message: expect.stringContaining("UTF-8") });
  });
});
