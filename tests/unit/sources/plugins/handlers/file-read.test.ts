import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { prepareFileRead } from "../../../../../src/sources/plugins/handlers/file-read.ts";
import { isPrepared } from "../../../../../src/sources/plugins/handlers/prepared-handler.ts";
import { placeIn, pluginGate, pluginWorld, texts } from "./plugin-gate.ts";

const fileRead = (basePath: string, more: object = {}) => ({ type: "file-read" as const, basePath, ...more });

function problems(handler: object, schema: object = texts("path"), place: object = {}) {
  const prepared = prepareFileRead({ ...fileRead("notes"), ...handler }, schema as never, {
    ...placeIn("/plugins"),
    ...place,
  });
  return isPrepared(prepared) ? [] : prepared.map(({ field, message }) => `${field}: ${message}`);
}

async function notes(more: object = {}, place: object = {}) {
  const world = await pluginGate(
    [{ name: "note", inputSchema: texts("path"), handler: fileRead("notes", more) }],
    place,
    { policies: [] },
  );
  mkdirSync(join(world.folder, "notes", "deep"), { recursive: true });
  writeFileSync(join(world.folder, "notes", "a.md"), "# A\n");
  writeFileSync(join(world.folder, "notes", "deep", "b.md"), "grün\n");
  return world;
}

describe("a file-read handler", () => {
  it("reads below its base, beside the plugin file, without a question", async () => {
    const { text, call, folder } = await notes();
    expect(await text("note", { path: "a.md" })).toBe("# A\n");
    expect(await text("note", { path: "./deep/../deep/b.md" })).toBe("grün\n");
    expect(await text("note", { path: join(folder, "notes", "a.md") })).toBe("# A\n");
    expect(await call("note", { path: "deep/b.md" })).toMatchObject({
      value: { path: "deep/b.md", size: 6 },
    });
  });

  it("does not look in the workspace, whatever the working folder of the call is", async () => {
    const { failure, root } = await notes();
    writeFileSync(join(root, "only-here.md"), "x");
    expect(await failure("note", { path: "only-here.md" })).toMatchObject({ inner: "not_found" });
    expect(await failure("note", { path: join(root, "only-here.md") })).toMatchObject({
      inner: "outside_root",
    });
  });

  it("says what is missing, too large, no file or no text", async () => {
    const { failure, folder, text } = await notes({ maxSize: 10 });
    writeFileSync(join(folder, "notes", "ten"), "0123456789");
    writeFileSync(join(folder, "notes", "eleven"), "0123456789a");
    writeFileSync(join(folder, "notes", "bin"), Buffer.from([1, 0, 2]));
    expect(await text("note", { path: "ten" })).toBe("0123456789");
    expect(await failure("note", { path: "eleven" })).toMatchObject({
      inner: "too_large",
      message: expect.stringMatching(/10 bytes/),
    });
    expect(await failure("note", { path: "nope" })).toMatchObject({ inner: "not_found" });
    expect(await failure("note", { path: "deep" })).toMatchObject({ inner: "not_a_file" });
    expect(await failure("note", { path: "bin" })).toMatchObject({ inner: "binary_file" });
    expect(await failure("note", { path: "" })).toMatchObject({ code: "invalid_input" });
  });

  it("reads text in the encodings that say so", async () => {
    const { text, folder } = await notes();
    writeFileSync(join(folder, "notes", "wide"), Buffer.from("\ufeffgrün", "utf16le"));
    writeFileSync(join(folder, "notes", "marked"), "\ufeffgrün");
    expect([await text("note", { path: "wide" }), await text("note", { path: "marked" })]).toEqual([
      "grün",
      "grün",
    ]);
  });

  it("takes files up to 1 MiB by default", async () => {
    const { failure, folder, call } = await notes();
    writeFileSync(join(folder, "notes", "max"), "x".repeat(1024 * 1024));
    writeFileSync(join(folder, "notes", "more"), "x".repeat(1024 * 1024 + 1));
    expect((await call("note", { path: "max" })).ok).toBe(true);
    expect(await failure("note", { path: "more" })).toMatchObject({ inner: "too_large" });
  });

  it("says at the call that its base is not there, and works when it is", async () => {
    const { failure, folder, text } = await notes();
    rmSync(join(folder, "notes"), { recursive: true });
    expect(await failure("note", { path: "a.md" })).toMatchObject({
      inner: "no_base",
      message: expect.stringMatching(/basePath/),
    });
    writeFileSync(join(folder, "notes"), "a file");
    expect(await failure("note", { path: "a.md" })).toMatchObject({ inner: "no_base" });
    rmSync(join(folder, "notes"));
    mkdirSync(join(folder, "notes"));
    writeFileSync(join(folder, "notes", "a.md"), "new");
    expect(await text("note", { path: "a.md" })).toBe("new");
  });

  it.for(["~/notes", homedir()])("may lie at %s when its place is trusted", (basePath) => {
    expect(problems({ basePath })).toEqual([]);
  });

  const untrusted = { trusted: false };
  it.for(["..", "/plugins-other", "~/x"])(
    "does not leave the plugin's folder for %s where nobody trusts it",
    (basePath) => {
      const refused = [expect.stringMatching(/^basePath: .*trusted place/)];
      expect(problems({ basePath }, texts("path"), untrusted)).toEqual(refused);
    },
  );

  it("stays in the plugin's folder where nobody trusts it, links included", async () => {
    expect(problems({ basePath: "..notes" }, texts("path"), untrusted)).toEqual([]);
    const { folder, base } = pluginWorld();
    mkdirSync(join(base, "elsewhere"));
    writeFileSync(join(base, "elsewhere", "a.md"), "secret");
    symlinkSync(join(base, "elsewhere"), join(folder, "link"));
    const prepared = prepareFileRead(fileRead("link"), texts("path"), { ...placeIn(folder), ...untrusted });
    if (!isPrepared(prepared)) throw new Error("it loads: what the link leads to is seen at the call");
    const context = { signal: new AbortController().signal } as never;
    const refused = { isError: true, structured: { code: "foreign_base" } };
    expect(await prepared.run({ path: "a.md" }, context)).toMatchObject(refused);
  });

  it.for([
    [{ basePath: "" }, texts("path"), /^basePath: .*empty/],
    [{ basePath: "a/{{path}}" }, texts("path"), /^basePath: .*placeholder/],
    [{ basePath: "a\0b" }, texts("path"), /^basePath: .*NUL/],
    [{ maxSize: 0 }, texts("path"), /^maxSize: /],
    [{}, texts("file"), /^: .*"path"/],
    [{}, { type: "object", properties: { path: { type: "number" } } }, /^/],
  ] as const)("is refused at load with the field that is wrong: %j", ([handler, schema, message]) => {
    expect(problems(handler, schema)).toEqual([expect.stringMatching(message)]);
  });
});
