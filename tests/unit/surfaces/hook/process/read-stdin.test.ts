import { execFileSync } from "node:child_process";
import { closeSync, openSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { readStdin } from "../../../../../src/surfaces/hook/process/read-stdin.ts";
import { createHookWorld } from "../hook-world.ts";

const limits = { maxBytes: 100_000, deadlineMs: 5_000 };

async function fromFile(bytes: Buffer | string): Promise<unknown> {
  const file = join(createHookWorld().base, "stdin");
  writeFileSync(file, bytes);
  const fd = openSync(file, "r");
  onTestFinished(() => closeSync(fd));
  return readStdin(fd, limits);
}

describe("standard input", () => {
  it.each([
    "",
    "{}",
    "é😀",
    "x".repeat(4_096),
    "x".repeat(4_097),
    "é".repeat(50_000),
    "\ufffd is a character",
  ])("is read as it is (%#)", async (text) => {
    expect(await fromFile(text)).toEqual({ ok: true, text });
  });

  it("is read up to its limit and not beyond", async () => {
    expect(await fromFile("x".repeat(100_000))).toMatchObject({ ok: true });
    expect(await fromFile("x".repeat(100_001))).toEqual({
      ok: false,
      problem: "Standard input is larger than 100000 bytes.",
      stuck: false,
    });
  });

  it.each([[[0xff]], [[0xc3, 0x28]], [[0x7b, 0xed, 0xa0, 0x80, 0x7d]], [[0xe2, 0x82]], [[0xc0, 0xaf]]])(
    "is refused when it is not UTF-8 (%j)",
    async (bytes) => {
      expect(await fromFile(Buffer.from(bytes))).toEqual({
        ok: false,
        problem: "Standard input is not UTF-8 text.",
        stuck: false,
      });
    },
  );

  it("that cannot be read is a problem, not an exception", async () => {
    const folder = openSync("/", "r");
    onTestFinished(() => closeSync(folder));
    expect(await readStdin(folder, limits)).toEqual({
      ok: false,
      problem: expect.stringMatching(/^Standard input cannot be read: EISDIR/),
      stuck: false,
    });
    expect(await readStdin(9_999, limits)).toMatchObject({
      ok: false,
      problem: expect.stringContaining("EBADF"),
    });
  });

  it("is not waited for longer than its deadline, also when a whole call has come", async () => {
    const pipe = join(createHookWorld().home, "pipe");
    execFileSync("mkfifo", [pipe]);
    const fd = openSync(pipe, "r+");
    onTestFinished(() => closeSync(fd));
    writeSync(fd, "{}");
    expect(await readStdin(fd, { maxBytes: 100, deadlineMs: 50 })).toEqual({
      ok: false,
      problem: "Standard input was not finished within 0.05 seconds.",
      stuck: true,
    });
    // Ends the read that still waits.
    writeSync(fd, " ");
  });
});
