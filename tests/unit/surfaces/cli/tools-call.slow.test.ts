import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findKnownTool } from "../../../../src/core/tool/known-tools.ts";
import { type RunOptions, useCliWorld } from "./cli-world.ts";
import { expectEnd, refuses, says } from "./expect-end.ts";

const world = useCliWorld((world) => {
  world.file("a.txt", "hello\nworld\n");
  writeFileSync(join(world.root, "..", "secret"), "TOP SECRET\n");
});

/** With no rules, unless the call names its own: those that are shipped would have to be read for each. */
const call = (argv: readonly string[], options?: RunOptions) => {
  const config = argv.includes("--config") ? [] : ["--config", world.file("none.yaml", "version: 1\n")];
  return world.run(["tools", "call", ...argv, ...config], options);
};
const json = (value: unknown) => JSON.stringify(value);
const namesOfRead = ["fs.read", "fs_read", ...(findKnownTool("fs.read")?.aliases ?? [])];

describe("toolgate tools call", () => {
  it("prints what the tool answers", async () => {
    expect(await call(["fs.read", json({ path: "a.txt" })])).toEqual({
      code: 0,
      out: "1\thello\n2\tworld\n",
      err: "",
    });
  });

  it("prints the whole outcome as JSON", async () => {
    const { out } = await expectEnd(call(["fs.read", json({ path: "a.txt" }), "--json"]), {});
    expect(JSON.parse(out)).toMatchObject({
      ok: true,
      tool: "fs.read",
      callId: expect.any(String),
      result: { content: [{ type: "text", text: "1\thello\n2\tworld" }], isError: false },
    });
  });

  it("reads the input from standard input", async () => {
    const { code, out } = await call(["fs.read", "-"], { stdin: `\ufeff${json({ path: "a.txt" })}\n` });
    expect([code, out]).toEqual([0, "1\thello\n2\tworld\n"]);
  });

  it("takes no input for an empty one", async () => {
    expect((await call(["fs.list"])).out).toContain("a.txt");
  });

  it("stands where it was called", async () => {
    world.file("deep/b.txt", "deep\n");
    const { out } = await call(["fs.read", json({ path: "b.txt" })], { cwd: join(world.root, "deep") });
    expect(out).toBe("1\tdeep\n");
  });

  it("tells type and size of an image, and prints it with --json", async () => {
    const pixel =
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";
    writeFileSync(join(world.root, "dot.png"), Buffer.from(pixel, "base64"));
    await expectEnd(call(["fs.view_image", json({ path: "dot.png" })]), {
      out: `[image: image/png, ${Buffer.byteLength(pixel, "base64")} bytes; --json prints it]`,
      never: pixel,
    });
    expect((await call(["fs.view_image", json({ path: "dot.png" }), "--json"])).out).toContain(pixel);
  });

  it("lets no file speak to the terminal", async () => {
    world.file("evil.txt", "\u001b]0;owned\u0007\n");
    await expectEnd(call(["fs.read", json({ path: "evil.txt" })], { isTerminal: true }), {
      out: "\\u{1B}]0;owned",
      never: "\u001b]",
    });
  });
});

describe("a path that leads out of the workspace", () => {
  it.each(namesOfRead)("is refused through %s, by the same rule", async (name) => {
    await refuses(
      call([name, json({ path: "../secret" })]),
      /^refused fs\.read: no_approver, decided at approve, by default "outside-workspace"\n {2}\.\.\/secret leads outside/,
    );
  });

  it.each(namesOfRead)("is opened through %s for the one call that --yes approves", async (name) => {
    await says(call([name, json({ path: "../secret" }), "--yes"]), "TOP SECRET");
    expect((await call([name, json({ path: "../secret" })])).code).toBe(1);
  });

  it("is refused by the name that other agents give the parameter, and through a link", async () => {
    symlinkSync("../secret", join(world.root, "link"));
    for (const input of [{ file_path: "../secret" }, { path: "link" }, { paths: ["a.txt", "../secret"] }]) {
      const { code, out, err } = await call(["Read", json(input)]);
      expect([code, out], json(input)).toEqual([1, ""]);
      expect(err).toContain('"outside-workspace"');
    }
  });

  it("names the policy that denies it, with its place", async () => {
    const file = world.file(
      "no.yaml",
      "policies:\n  no-reading: {tools: fs.read, action: deny, reason: No.}\n",
    );
    for (const name of namesOfRead) {
      const { code, err } = await call([name, json({ path: "../secret" }), "--config", file]);
      expect(code, name).toBe(1);
      expect(err).toContain(
        'refused fs.read: policy_denied, decided at permit, by policy "no-reading" (no.yaml:2)\n',
      );
    }
  });
});

describe("a call that the gate refuses", () => {
  const write = ["fs.write", json({ path: "b.txt", content: "x" })] as const;

  it("says which option opens the category", async () => {
    await refuses(
      call(write),
      /^refused fs\.write: category_disabled.*\n.*\n {2}hint: .*--enable-tool-categories editing\n$/,
    );
  });

  it("is refused where a rule asks and nobody is there", async () => {
    for (const options of [{}, { isTerminal: true }, { stdinIsTerminal: true }]) {
      await refuses(call([...write, "--enable-tools"], options), "no_approver");
    }
    expect(existsSync(join(world.root, "b.txt"))).toBe(false);
  });

  it("runs with --yes", async () => {
    await says(call([...write, "--enable-tool-categories", "editing", "--yes"]), "Created b.txt");
    expect(readFileSync(join(world.root, "b.txt"), "utf8")).toBe("x");
  });

  it("is not helped by --yes where a policy denies", async () => {
    const file = world.file("no.yaml", "policies: {no-writing: {tools: Write, action: deny}}\n");
    await refuses(
      call([...write, "--enable-tools", "--yes", "--config", file]),
      'by policy "no-writing" (no.yaml:1)',
    );
    expect(existsSync(join(world.root, "b.txt"))).toBe(false);
  });

  it("runs without a question where a policy approves", async () => {
    const file = world.file("yes.yaml", "policies: {writing: {tools: fs.write, action: approve}}\n");
    expect((await call([...write, "--enable-tools", "--config", file])).code).toBe(0);
  });

  it("does nothing but read in plan mode", async () => {
    await refuses(
      call([...write, "--enable-tools", "--yes", "--mode", "plan"]),
      /^refused fs\.write: plan_mode, decided at permit\n/,
    );
    expect((await call(["fs.read", json({ path: "a.txt" }), "--mode", "plan"])).code).toBe(0);
  });

  it("obeys routes under the agents' names", async () => {
    const rule = "routes: {no-push: {tool: Bash, pattern: git push, message: Open a pull request.}}\n";
    const file = world.file("routes.yaml", rule);
    const argv = ["shell.exec", json({ command: "git push" }), "--enable-tools", "--yes", "--config", file];
    await refuses(
      call(argv),
      /^refused shell\.exec: route_blocked, decided at route, by route "no-push" \(routes\.yaml:1\)\n {2}Open/,
    );
  });

  it("has its error in the JSON", async () => {
    const { out } = await expectEnd(call([...write, "--json"]), { code: 1 });
    expect(JSON.parse(out)).toMatchObject({
      ok: false,
      tool: "fs.write",
      error: { code: "category_disabled" },
    });
  });
});

describe("a call that cannot be made", () => {
  it.each([
    ["{path:1}", "a key in double quotes is expected, at character 2"],
    ["", "it is empty"],
    ["'{}'", "JSON takes double quotes"],
    ['{"path":"a', "not closed"],
  ])("is told what is wrong with %j", async (input, message) => {
    await refuses(
      call(["fs.read", input]),
      /^The input is not valid JSON: /,
      message,
      "toolgate tools call fs.read '{",
    );
  });

  it.each([
    [undefined, "invalid_input", "give either path, paths or files"],
    ["[1]", "bad_call", "must be a JSON object"],
    ['{"path":7}', "invalid_input", "$.path"],
    ['{"path":"a.txt","nonsense":1}', "invalid_input", "$.nonsense"],
    ['{"path":"a.txt","file_path":"b.txt"}', "invalid_input", "file_path"],
  ])("is refused for the input %j", async (input, error, message) => {
    await refuses(
      call(["fs.read", ...(input === undefined ? [] : [input])]),
      `refused fs.read: ${error}`,
      message,
    );
  });

  it("is told when the tool fails", async () => {
    await refuses(
      call(["fs.read", json({ path: "missing.txt" })]),
      /^failed fs\.read: tool_failed, decided at run\n.*missing\.txt/,
    );
  });

  it("is offered a tool that exists", async () => {
    await refuses(call(["fs.rea", "{}"]), /^There is no tool "fs\.rea"\. Did you mean fs\.read/);
  });

  it("ends when it is cancelled", async () => {
    await refuses(call(["fs.read", json({ path: "a.txt" })], { signal: AbortSignal.abort() }), "cancelled");
  });
});
