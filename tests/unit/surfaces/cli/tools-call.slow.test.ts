import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findKnownTool } from "../../../../src/core/tool/known-tools.ts";
import { type RunOptions, useCliWorld } from "./cli-world.ts";
import { expectEnd, fails, refuses, says, wordsOf } from "./expect-end.ts";

const world = useCliWorld((world) => {
  world.file("a.txt", "hello\nworld\n");
  writeFileSync(join(world.root, "..", "secret"), "TOP SECRET\n");
});

interface Options extends RunOptions {
  /** More words of the command. */
  readonly more?: string;
  /** The rules; none unless told: those that are shipped would have to be read for each call. */
  readonly rules?: string;
}

/** Of a tool, with an input as JSON or as it is typed. */
function call(tool: string, input?: object | string, { more = "", rules, ...options }: Options = {}) {
  const config = ["--config", world.file("rules.yaml", rules ?? "version: 1\n")];
  const typed = input === undefined ? [] : [typeof input === "string" ? input : JSON.stringify(input)];
  return world.run(["tools", "call", tool, ...typed, ...wordsOf(more), ...config], options);
}

const a = { path: "a.txt" };
const secret = { path: "../secret" };
const namesOfRead = ["fs.read", "fs_read", ...(findKnownTool("fs.read")?.aliases ?? [])];

describe("toolgate tools call", () => {
  it("prints what the tool answers", async () => {
    expect(await call("fs.read", a)).toEqual({ code: 0, out: "1\thello\n2\tworld\n", err: "" });
  });

  it("prints the whole outcome as JSON", async () => {
    const { out } = await says(call("fs.read", a, { more: "--json" }));
    expect(JSON.parse(out)).toMatchObject({
      ok: true,
      tool: "fs.read",
      callId: expect.any(String),
      result: { content: [{ type: "text", text: "1\thello\n2\tworld" }], isError: false },
    });
  });

  it("reads the input from standard input", async () => {
    const stdin = `\ufeff${JSON.stringify(a)}\n`;
    await says(call("fs.read", "-", { stdin }), /^1\thello\n2\tworld\n$/);
  });

  it("takes no input for an empty one", async () => {
    await says(call("fs.list"), "a.txt");
  });

  it("stands where it was called", async () => {
    world.file("deep/b.txt", "deep\n");
    await says(call("fs.read", { path: "b.txt" }, { cwd: join(world.root, "deep") }), /^1\tdeep\n$/);
  });

  it("tells type and size of an image, and prints it with --json", async () => {
    const pixel =
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";
    writeFileSync(join(world.root, "dot.png"), Buffer.from(pixel, "base64"));
    const out = `[image: image/png, ${Buffer.byteLength(pixel, "base64")} bytes; --json prints it]`;
    await expectEnd(call("fs.view_image", { path: "dot.png" }), { out, never: pixel });
    await says(call("fs.view_image", { path: "dot.png" }, { more: "--json" }), pixel);
  });

  it("lets no file speak to the terminal", async () => {
    world.file("evil.txt", "\u001b]0;owned\u0007\n");
    const shown = call("fs.read", { path: "evil.txt" }, { isTerminal: true });
    await expectEnd(shown, { out: "\\u{1B}]0;owned", never: "\u001b]" });
  });
});

describe("a path that leads out of the workspace", () => {
  it.each(namesOfRead)("is refused through %s, by the same rule", async (name) => {
    await refuses(
      call(name, secret),
      /^refused fs\.read: no_approver, decided at approve, by default "outside-workspace"\n {2}\.\.\/secret leads outside/,
    );
  });

  it.each(namesOfRead)("is opened through %s for the one call that --yes approves", async (name) => {
    await says(call(name, secret, { more: "--yes" }), "TOP SECRET");
    await refuses(call(name, secret));
  });

  it("is refused by the name that other agents give the parameter, and through a link", async () => {
    symlinkSync("../secret", join(world.root, "link"));
    for (const input of [{ file_path: "../secret" }, { path: "link" }, { paths: ["a.txt", "../secret"] }])
      await refuses(call("Read", input), '"outside-workspace"');
  });

  it("names the policy that denies it, with its place", async () => {
    const rules = "policies:\n  no-reading: {tools: fs.read, action: deny, reason: No.}\n";
    const why = 'refused fs.read: policy_denied, decided at permit, by policy "no-reading" (rules.yaml:2)\n';
    for (const name of namesOfRead) await refuses(call(name, secret, { rules }), why);
  });
});

describe("a call that the gate refuses", () => {
  const write = (more = "", options: Options = {}) =>
    call("fs.write", { path: "b.txt", content: "x" }, { more, ...options });
  const isWritten = () => existsSync(join(world.root, "b.txt"));

  it("says which option opens the category", async () => {
    await refuses(
      write(),
      /^refused fs\.write: category_disabled.*\n.*\n {2}hint: .*--enable-tool-categories editing\n$/,
    );
  });

  it("is refused where a rule asks and nobody is there", async () => {
    for (const options of [{}, { isTerminal: true }, { stdinIsTerminal: true }])
      await refuses(write("--enable-tools", options), "no_approver");
    expect(isWritten()).toBe(false);
  });

  it("runs with --yes", async () => {
    await says(write("--enable-tool-categories editing --yes"), "Created b.txt");
    expect(readFileSync(join(world.root, "b.txt"), "utf8")).toBe("x");
  });

  it("is not helped by --yes where a policy denies", async () => {
    const rules = "policies: {no-writing: {tools: Write, action: deny}}\n";
    await refuses(write("--enable-tools --yes", { rules }), 'by policy "no-writing" (rules.yaml:1)');
    expect(isWritten()).toBe(false);
  });

  it("runs without a question where a policy approves", async () => {
    await says(
      write("--enable-tools", { rules: "policies: {writing: {tools: fs.write, action: approve}}\n" }),
    );
  });

  it("does nothing but read in plan mode", async () => {
    const written = write("--enable-tools --yes --mode plan");
    await refuses(written, /^refused fs\.write: plan_mode, decided at permit\n/);
    await says(call("fs.read", a, { more: "--mode plan" }));
  });

  it("obeys routes under the agents' names", async () => {
    const rules = "routes: {no-push: {tool: Bash, pattern: git push, message: Open a pull request.}}\n";
    await refuses(
      call("shell.exec", { command: "git push" }, { more: "--enable-tools --yes", rules }),
      /^refused shell\.exec: route_blocked, decided at route, by route "no-push" \(rules\.yaml:1\)\n {2}Open/,
    );
  });

  it("has its error in the JSON", async () => {
    const { out } = await fails(write("--json"));
    const error = { code: "category_disabled" };
    expect(JSON.parse(out)).toMatchObject({ ok: false, tool: "fs.write", error });
  });
});

describe("a call that cannot be made", () => {
  it.each([
    ["{path:1}", "a key in double quotes is expected, at character 2"],
    ["", "it is empty"],
    ["'{}'", "JSON takes double quotes"],
    ['{"path":"a', "not closed"],
  ])("is told what is wrong with %j", async (input, message) => {
    const how = "toolgate tools call fs.read '{";
    await refuses(call("fs.read", input), /^The input is not valid JSON: /, message, how);
  });

  it.each([
    [undefined, "invalid_input", "give either path, paths or files"],
    ["[1]", "bad_call", "must be a JSON object"],
    ['{"path":7}', "invalid_input", "$.path"],
    ['{"path":"a.txt","nonsense":1}', "invalid_input", "$.nonsense"],
    ['{"path":"a.txt","file_path":"b.txt"}', "invalid_input", "file_path"],
  ])("is refused for the input %j", async (input, error, message) => {
    await refuses(call("fs.read", input), `refused fs.read: ${error}`, message);
  });

  it("is told when the tool fails", async () => {
    const missing = call("fs.read", { path: "missing.txt" });
    await refuses(missing, /^failed fs\.read: tool_failed, decided at run\n.*missing\.txt/);
  });

  it("is offered a tool that exists", async () => {
    await refuses(call("fs.rea", {}), /^There is no tool "fs\.rea"\. Did you mean fs\.read/);
  });

  it("ends when it is cancelled", async () => {
    await refuses(call("fs.read", a, { signal: AbortSignal.abort() }), "cancelled");
  });
});
