import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Script } from "node:vm";
import { describe, expect, it } from "vitest";
import { encodeKeptCode, readKeptCode } from "../../../../../src/surfaces/hook/process/code-cache.ts";
import { createHookWorld } from "../hook-world.ts";

const codeFor = "1.0.0+abc 13.6 /usr/bin/node  undefined";
const source = "(function () { return 6 * 7; })";
const data = new Script(source).createCachedData();

function encoded(ways = "0 2+"): Buffer {
  const bytes = encodeKeptCode({ data, ways }, codeFor);
  if (bytes === undefined) throw new Error("it could not be kept");
  return bytes;
}

function inFile(): { readonly file: string; read(bytes: Buffer): ReturnType<typeof readKeptCode> } {
  const file = join(createHookWorld().base, "code");
  return {
    file,
    read(bytes) {
      writeFileSync(file, bytes, { mode: 0o600 });
      return readKeptCode(file, codeFor);
    },
  };
}

describe("compiled code that was kept", () => {
  it("is not believed when a bit was turned, it was cut, or something was added", () => {
    const { read } = inFile();
    const whole = encoded();
    for (let at = 0; at < whole.length; at += 7) {
      const bytes = Buffer.from(whole);
      bytes[at] = (bytes[at] as number) ^ (1 << (at % 8));
      expect(read(bytes), `byte ${at}`).toBeUndefined();
    }
    for (const length of [0, 1, 100, 1_024, 2_048, whole.length / 2, whole.length - 2, whole.length - 1])
      expect(read(whole.subarray(0, length)), `${length} bytes`).toBeUndefined();
    expect(read(Buffer.concat([whole, Buffer.from("xx")]))).toBeUndefined();
    expect(read(Buffer.from("something else"))).toBeUndefined();
  });

  it("is not believed for another build, Node or set of flags", () => {
    const { file, read } = inFile();
    read(encoded());
    expect(readKeptCode(file, codeFor)).toBeDefined();
    for (const other of ["1.0.1+abc 13.6 /usr/bin/node  undefined", `${codeFor} `, codeFor.slice(0, -1), ""])
      expect(readKeptCode(file, other)).toBeUndefined();
  });

  it("is not believed when others can write it, or when it is a link or a folder", () => {
    const { file, read } = inFile();
    read(encoded());
    for (const mode of [0o666, 0o620, 0o602]) {
      chmodSync(file, mode);
      expect(readKeptCode(file, codeFor)).toBeUndefined();
    }
    chmodSync(file, 0o600);
    symlinkSync(file, `${file}.link`);
    expect(readKeptCode(`${file}.link`, codeFor)).toBeUndefined();
    rmSync(file);
    mkdirSync(file);
    expect(readKeptCode(file, codeFor)).toBeUndefined();
    expect(readKeptCode(`${file}/not-there`, codeFor)).toBeUndefined();
  });
});
