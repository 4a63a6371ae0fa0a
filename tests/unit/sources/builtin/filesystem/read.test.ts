import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { linkSync } from "node:fs";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { read } from "../../../../../src/sources/builtin/filesystem/read.ts";
import { because, stopped } from "../../stopped.ts";
import { readingGate } from "../reading-gate.ts";
import { describeRefusals } from "../refusals.ts";
import { png } from "./images.ts";

/** What was read and dropped must not count as held. */
function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
}

const numbers = Array.from({ length: 5_000 }, (_, index) => `line ${index + 1}`);
const sha256 = (text: string | Buffer) => createHash("sha256").update(text).digest("hex");

describeRefusals(read, (path) => ({ path }), { files: { "a.txt": "alpha\n" }, path: "a.txt" });

describe("fs.read", () => {
  it.for([{}, { startLine: 3 }, { path: null }, { lineNumbers: false, limit: 5 }])(
    "says in its schema that it needs a file: %j",
    async (input) => {
      const { gate } = await readingGate(read, {});
      expect(await gate.tools.validateCall("fs.read", input)).toMatchObject({
        ok: false,
        issues: [{ message: expect.stringContaining("give either path, paths or files") }],
      });
    },
  );

  it("tells a model so, in words that every API takes", async () => {
    const { gate } = await readingGate(read, {});
    const [definition] = gate.tools.definitions();
    expect(definition?.inputSchema).toMatchObject({
      minProperties: 1,
      properties: { path: { description: expect.stringContaining("Required, unless paths or files") } },
    });
    expect(Object.keys(definition?.inputSchema ?? {})).not.toContain("anyOf");
  });

  it("shows a file with numbered lines and tells its hash", async () => {
    const { call } = await readingGate(read, { "a.txt": "alpha\nbeta\n" });
    const outcome = await call({ path: "a.txt" });
    expect(outcome).toMatchObject({
      ok: true,
      result: { content: [{ type: "text", text: "1\talpha\n2\tbeta" }] },
      value: {
        path: "a.txt",
        startLine: 1,
        endLine: 2,
        totalLines: 2,
        truncated: false,
        size: 11,
        encoding: "utf-8",
        lineEnding: "lf",
        sha256: sha256("alpha\nbeta\n"),
      },
    });
    expect(outcome.ok && outcome.value).not.toHaveProperty("nextOffset");
  });

  it("shows the bare text on request", async () => {
    const { text } = await readingGate(read, { "a.txt": "alpha\n\tbeta\n" });
    expect(await text({ path: "a.txt", lineNumbers: false })).toBe("alpha\n\tbeta");
  });

  it.each([
    [{ startLine: 3, endLine: 4 }, [3, 4]],
    [{ start_line: 3, end_line: 4 }, [3, 4]],
    [{ startLine: 4_999 }, [4_999, 5_000]],
    [{ endLine: 2 }, [1, 2]],
    [{ offset: 2, limit: 2 }, [3, 4]],
    [{ offset: 4_998 }, [4_999, 5_000]],
    [{ offset: 0, limit: 1 }, [1, 1]],
    [{ startLine: 4_990, endLine: 9_999 }, [4_990, 5_000]],
  ])("reads the range %j", async (range, [startLine, endLine]) => {
    const { data, text } = await readingGate(read, { "n.txt": numbers.join("\n") });
    const told = { startLine, endLine, totalLines: 5_000, truncated: false };
    expect(await data({ path: "n.txt", ...range })).toMatchObject(told);
    expect(await text({ path: "n.txt", ...range })).toMatch(new RegExp(`^${startLine}\\tline ${startLine}`));
  });

  it("cuts a long file and says where to read on, until all of it was read", async () => {
    const { call } = await readingGate(read, {
      "n.txt": numbers.map((line) => line.padEnd(60, ".")).join("\n"),
    });
    const seen: string[] = [];
    for (let offset: number | undefined = 0; offset !== undefined; ) {
      const outcome = await call({ path: "n.txt", offset, lineNumbers: false });
      if (!outcome.ok) throw outcome.error;
      const { nextOffset, endLine, startLine } = outcome.value as {
        nextOffset?: number;
        endLine: number;
        startLine: number;
      };
      const [block] = outcome.result.content;
      const shown = block?.type === "text" ? block.text.split("\n") : [];
      seen.push(...shown.slice(0, endLine - startLine + 1));
      if (nextOffset !== undefined)
        expect(shown.at(-1)).toBe(
          `[Lines ${startLine}-${endLine} of 5000. Read on with offset ${nextOffset}.]`,
        );
      offset = nextOffset;
    }
    expect(seen).toEqual(numbers.map((line) => line.padEnd(60, ".")));
  });

  it("stays below what the gate would cut", async () => {
    const { text } = await readingGate(read, { "wide.txt": "é".repeat(1_500).concat("\n").repeat(200) });
    expect(Buffer.byteLength(await text({ path: "wide.txt" }))).toBeLessThan(64 * 1024);
  });

  it("cuts a long line, and shows more of it when it is asked for alone", async () => {
    const long = "x".repeat(30_000);
    const { text, data } = await readingGate(read, { "l.txt": `short\n${long}\nend\n` });
    expect(await text({ path: "l.txt" })).toContain(
      `${"x".repeat(2_000)}… [28000 bytes more in this line]\n3\tend\n[Long lines are cut`,
    );
    expect(await data({ path: "l.txt" })).toMatchObject({ truncated: true, totalLines: 3 });
    expect(await text({ path: "l.txt", offset: 1, limit: 1 })).toContain(`2\t${long}\n`);
  });

  it("never cuts a character in two", async () => {
    const { text } = await readingGate(read, { "l.txt": `${"é😀".repeat(2_000)}\nend\n` });
    expect(await text({ path: "l.txt" })).not.toContain("\ufffd");
  });

  it("says that a file is empty, and that a range is past the end", async () => {
    const { text, data, failure } = await readingGate(read, { "e.txt": "", "a.txt": "one\n" });
    expect(await text({ path: "e.txt" })).toBe("[The file is empty.]");
    expect(await data({ path: "e.txt" })).toMatchObject({ totalLines: 0, endLine: 0, sha256: sha256("") });
    expect(await failure({ path: "a.txt", startLine: 9 })).toMatchObject(
      because("past_the_end", "has 1 line;"),
    );
    expect(await text({ path: "a.txt", offset: 9 })).toBe("");
    const nothing = { totalLines: 1, startLine: 0, endLine: 0 };
    expect(await data({ path: "a.txt", offset: 9 })).toMatchObject(nothing);
  });

  it.each([
    [{ path: "a.txt", startLine: 2, offset: 1 }],
    [{ path: "a.txt", startLine: 5, endLine: 2 }],
    [{ path: "a.txt", paths: ["a.txt"] }],
    [{}],
    [{ path: "a.txt", offset: -1 }],
    [{ path: "a.txt", startLine: 0 }],
    [{ path: "a.txt", limit: 0 }],
    [{ paths: [] }],
    [{ path: "a.txt", file_path: "b.txt" }],
  ])("refuses %j", async (input) => {
    const { code } = await readingGate(read, { "a.txt": "one\n" });
    expect(await code(input)).toBe("invalid_input");
  });

  describe("with many files", () => {
    it("reads each, and says of each that fails why", async () => {
      const { text, data } = await readingGate(read, { "a.txt": "alpha\n", "b.txt": "beta\n" });
      const input = { paths: ["a.txt", "nothing.txt", "b.txt"] };
      expect(await text(input)).toMatch(
        /==> a\.txt <==\n1\talpha\n==> nothing\.txt <==\n\[not read: .*does not exist.*\]\n==> b\.txt <==\n1\tbeta/,
      );
      const failed = { path: "nothing.txt", error: { code: "not_found" } };
      const files = [{ path: "a.txt", totalLines: 1 }, failed, { path: "b.txt" }];
      expect(await data(input)).toMatchObject({ files });
    });

    it("fails only when all fail", async () => {
      const { failure } = await readingGate(read);
      expect((await failure({ paths: ["x", "y"] })).message).toContain("==> y <==");
    });

    it("shares the room fairly", async () => {
      const long = "x".repeat(99).concat("\n").repeat(2_000);
      const { data, text } = await readingGate(read, { "a.txt": long, "b.txt": "beta\n", "c.txt": long });
      const { files } = (await data({ paths: ["a.txt", "b.txt", "c.txt"] })) as {
        files: { endLine: number }[];
      };
      expect(files[0]?.endLine).toBeGreaterThan(150);
      expect(files[2]?.endLine).toBeGreaterThan(files[0]?.endLine ?? 0);
      expect(Buffer.byteLength(await text({ paths: ["a.txt", "b.txt", "c.txt"] }))).toBeLessThan(64 * 1024);
    });

    it.each([
      [{ files: ["a.txt", "b.txt"] }],
      [{ files: [{ path: "a.txt" }, { path: "b.txt" }] }],
      [{ include: ["a.txt", "b.txt"] }],
      [{ file_paths: ["a.txt", "b.txt"] }],
    ])("takes the shape %j", async (input) => {
      const { data } = await readingGate(read, { "a.txt": "alpha\n", "b.txt": "beta\n" });
      expect(await data(input)).toMatchObject({ files: [{ path: "a.txt" }, { path: "b.txt" }] });
    });

    it("takes a range for each file in that shape, but no wildcards", async () => {
      const { data, failure } = await readingGate(read, { "a.txt": "1\n2\n3\n" });
      expect(await data({ files: [{ path: "a.txt", start_line: 2, end_line: 3 }] })).toMatchObject({
        startLine: 2,
        endLine: 3,
      });
      expect(await data({ files: [{ path: "a.txt", start_line: 2 }, { path: "a.txt" }] })).toMatchObject({
        files: [{ startLine: 2 }, { startLine: 1 }],
      });
      expect((await failure({ include: ["*.txt"] })).message).toContain("search.glob");
    });

    it.for([
      { paths: ["a.txt", ".env"] },
      { files: ["a.txt", ".env"] },
      { files: [{ path: ".env" }] },
      { include: ".env" },
    ])("lets policies see every path of %j", async (input) => {
      const { code } = await readingGate(read, { "a.txt": "alpha\n", ".env": "KEY=1\n" });
      expect(await code(input)).toBe("policy_denied");
    });
  });

  describe("with encodings", () => {
    it.each([
      ["utf-8", Buffer.from("größe\nzwei\n")],
      ["utf-8 with BOM", Buffer.from("\ufeffgröße\nzwei\n")],
      ["utf-16le", Buffer.from("\ufeffgröße\nzwei\n", "utf16le")],
      ["utf-16be", Buffer.from("\ufeffgröße\nzwei\n", "utf16le").swap16()],
      ["latin1", Buffer.from("größe\nzwei\n", "latin1")],
    ])("reads %s", async (encoding, bytes) => {
      const { text, data } = await readingGate(read, { "t.txt": bytes });
      expect(await text({ path: "t.txt" })).toMatch(/^1\tgröße\n2\tzwei/);
      expect(await data({ path: "t.txt" })).toMatchObject({ encoding, totalLines: 2, sha256: sha256(bytes) });
    });

    it("says when bytes are shown as Latin-1", async () => {
      const { text } = await readingGate(read, { "t.txt": Buffer.from("größe\n", "latin1") });
      expect(await text({ path: "t.txt" })).toContain(
        "[The bytes are not UTF-8; they are shown as Latin-1.]",
      );
    });

    it.each([
      ["a\r\nb\r\n", "crlf"],
      ["a\r\nb", "crlf"],
      ["a\r\nb\nc\n", "mixed"],
      ["a\nb\n", "lf"],
      ["a\rb\n", "lf"],
      ["a\rb\r", "cr"],
      ["a\rb", "cr"],
    ])("tells the line endings of %j", async (content, lineEnding) => {
      const { data, text } = await readingGate(read, { "t.txt": content });
      expect(await data({ path: "t.txt" })).toMatchObject({ lineEnding });
      if (lineEnding === "crlf")
        expect(await text({ path: "t.txt" })).toMatch(/^1\ta\n2\tb\n\[Line endings: CRLF/);
      if (lineEnding === "cr") expect(await text({ path: "t.txt" })).toBe("1\ta\n2\tb\n[Line endings: CR.]");
    });
  });

  it.each([
    ["binary data", Buffer.from([1, 2, 0, 3])],
    ["a PDF document", Buffer.from("%PDF-1.7\n")],
    ["a ZIP archive", Buffer.from("PK\u0003\u0004zip")],
    ["gzip data", Buffer.from([0x1f, 0x8b, 8])],
    ["an ELF program", Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2])],
    ["UTF-32", Buffer.from([0xff, 0xfe, 0, 0, 0x41, 0, 0, 0])],
  ])("refuses %s politely, with its size", async (what, bytes) => {
    const { failure } = await readingGate(read, { "f.txt": bytes });
    const { code, message } = await failure({ path: "f.txt" });
    expect(code).toBe("binary_file");
    for (const said of [what, `${bytes.length} bytes`]) expect(message).toContain(said);
  });

  it("shows an image as an image, whatever its name", async () => {
    const { call } = await readingGate(read, { "logo.txt": png(3, 2) });
    expect(await call({ path: "logo.txt" })).toMatchObject({
      ok: true,
      value: { path: "logo.txt", type: "image/png", width: 3, height: 2, sha256: sha256(png(3, 2)) },
      result: {
        content: [
          { type: "text" },
          { type: "image", mimeType: "image/png", data: png(3, 2).toString("base64") },
        ],
      },
    });
  });

  it("refuses protected files, folders, FIFOs and files with a second name", async () => {
    const { code, root, outside } = await readingGate(read, { ".env": "KEY=1\n", "dir/a.txt": "a\n" });
    expect(await code({ path: ".env" })).toBe("policy_denied");
    expect(await code({ path: "dir" })).toBe("not_a_file");
    execFileSync("mkfifo", [join(root, "pipe")]);
    expect(await code({ path: "pipe" })).toBe("not_a_file");
    linkSync(join(outside, "secret.txt"), join(root, "innocent.txt"));
    expect(await code({ path: "innocent.txt" })).toBe("hard_link");
  });

  const many = (count: number) => ({ "big.log": Buffer.from(`${"x".repeat(79)}\n`.repeat(count)) });
  it("reads the end of a file of many megabytes without holding it", async () => {
    const { data } = await readingGate(read, many(400_000));
    const before = process.memoryUsage().arrayBuffers;
    const end = { startLine: 399_999, endLine: 400_000, totalLines: 400_000 };
    expect(await data({ path: "big.log", offset: 399_998 })).toMatchObject(end);
    // Buffers are given back by another thread, a little later.
    const held = () => {
      collectGarbage();
      return process.memoryUsage().arrayBuffers - before;
    };
    await expect.poll(held).toBeLessThan(8 * 1024 * 1024);
  });

  it("stops when it is cancelled", async () => {
    const { call } = await readingGate(read, many(200_000));
    const controller = new AbortController();
    const running = call({ path: "big.log" }, { signal: controller.signal });
    setImmediate(() => controller.abort());
    expect(await running).toMatchObject(stopped("cancelled"));
  });

  it("shows exactly the lines asked for, whatever the text", async () => {
    const { write, call } = await readingGate(read);
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.string({ unit: "grapheme", maxLength: 30 }).map((line) => line.replace(/[\r\n\0\ufeff]/g, "")),
          { minLength: 1, maxLength: 30 },
        ),
        fc.nat(40),
        fc.integer({ min: 1, max: 40 }),
        fc.constantFrom("\n", "\r\n", "\r"),
        async (lines, offset, limit, ending) => {
          write("p.txt", lines.join(ending));
          const expected = lines.at(-1) === "" ? lines.slice(0, -1) : lines;
          const outcome = await call({ path: "p.txt", offset, limit, lineNumbers: false });
          if (!outcome.ok) return false;
          const { startLine, endLine } = outcome.value as { startLine: number; endLine: number };
          if (expected.length === 0) return endLine === 0;
          const [block] = outcome.result.content;
          if (offset >= expected.length) return endLine === 0 && block?.type === "text" && block.text === "";
          const shown =
            block?.type === "text" ? block.text.split("\n").slice(0, endLine - startLine + 1) : [];
          expect(shown).toEqual(expected.slice(offset, offset + limit));
          return true;
        },
      ),
      { numRuns: 100 },
    );
  });
});
