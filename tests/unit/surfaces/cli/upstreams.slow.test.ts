import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { beforeEach, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { useCliWorld } from "./cli-world.ts";
import { expectEnd, fails, refuses, says } from "./expect-end.ts";

const server = fileURLToPath(new URL("../../sources/upstream/scripted-server.mjs", import.meta.url));
const world = useCliWorld(({ configure }) => {
  config = configure("");
});
let config: string;

const upstreams = (...args: string[]) => world.run(["upstreams", ...args]);
const configured = () => readFileSync(config, "utf8");

/** One upstream that is the scripted server with these flags. */
function configure(name: string, flags: readonly string[], more: object = {}): void {
  const upstream = { command: process.execPath, args: [server, ...flags], ...more };
  writeFileSync(config, JSON.stringify({ upstreams: { [name]: upstream } }));
}

describe("a server that starts more slowly than a call may take", () => {
  it("is waited for by list --check and by review", async () => {
    configure("slow", ["--slow=4000"], { timeout_ms: 3_500 });
    await says(upstreams("list", "--check"), /^slow +ready/m);
    await says(upstreams("review"), "Nothing waits");
  });

  it("does not work if it needs longer than start_timeout_ms", async () => {
    configure("slow", ["--slow=20000"], { timeout_ms: 200, start_timeout_ms: 600 });
    await fails(upstreams("list", "--check"), "was not ready within 600ms");
    await refuses(upstreams("review"), "slow could not be asked: ");
  });
});

describe("a server that never says which tools it has", () => {
  it("does not work, though it is ready", async () => {
    configure("silent", ["--silent-on=tools/list"], { timeout_ms: 300 });
    expect((await upstreams("list", "--check")).code).toBe(1);
    await refuses(upstreams("review"), "silent could not be asked: ");
  });
});

describe("a server in whose entry a tool is misspelt", () => {
  beforeEach(() => configure("typo", [], { tools: { echoo: { enabled: false }, pid: { enabled: false } } }));

  it("is not blamed while its tools are not known", async () => {
    await expectEnd(upstreams("list"), {
      out: "- typo: its tools are not known yet; toolgate upstreams list --check asks it\n",
      never: "has no tool",
    });
  });

  it("is told of it by list, in this process and later, and still works", async () => {
    for (const args of [["list", "--check"], ["list"]]) {
      const { out } = await says(upstreams(...args));
      const told = '! typo: it has no tool "echoo" (under tools:); did you mean "echo"?';
      expect(out.match(/^! .*$/gm)).toEqual([told]);
    }
    const { upstreams: status } = await world.json("upstreams list");
    expect(status).toMatchObject([{ misnamed: [{ tool: "echoo", closest: "echo" }] }]);
  });
});

describe("a server without any tool", () => {
  it("is known all the same", async () => {
    configure("bare", ["--bare"]);
    await upstreams("list", "--check");
    expect((await upstreams("list")).out).not.toContain("not known yet");
  });
});

describe("toolgate upstreams add", () => {
  it("starts the server once and adds it if it answers, with paths as they are from here", async () => {
    world.file("sub/my-server.mjs", `import ${JSON.stringify(server)};\n`);
    const from = { cwd: join(world.root, "sub"), env: { PATH: dirname(process.execPath) } };
    const added = world.run("upstreams add mine -- node my-server.mjs --bare", from);
    await expectEnd(added, { out: "mine is in", err: "" });
    expect(configured()).toContain(join(world.root, "sub/my-server.mjs"));
    // Elsewhere, too.
    expect((await upstreams("list", "--check")).out).toMatch(/^mine +ready/m);
  });

  it.each([
    ["is not there", ["nosuch-program"], "Command not found"],
    ["ends at once", [process.execPath, "-e", "console.error('no key'); process.exit(3)"], "no key"],
  ])("adds nothing if the program %s, and says what to do", async (_, command, why) => {
    writeFileSync(config, "# mine\n");
    await refuses(upstreams("add", "mine", "--", ...command), "mine was not added: ", why, "--no-check");
    expect(configured()).toBe("# mine\n");
    const json = await fails(upstreams("add", "mine", "--json", "--", ...command));
    expect(JSON.parse(json.out)).toMatchObject({ added: false });
  });

  it("says in one line that the server's file is missing, without the words of the program that did not find it", async () => {
    const { err } = await refuses(upstreams("add", "mine", "--", process.execPath, "nosuch.mjs"));
    expect(err.split("\n")[0]).toBe(
      `mine was not added: There is no file ${join(world.root, "nosuch.mjs")}, which its program is to start.`,
    );
    expect(err).not.toMatch(/MODULE_NOT_FOUND|\bat \S+:\d+|Node\.js v/);
  });

  it("leaves out where in its code a server broke", async () => {
    const file = world.file("broken.mjs", "throw new Error('no key in KEY');");
    const { err } = await refuses(upstreams("add", "mine", "--", process.execPath, file), "no key in KEY");
    expect(err).not.toMatch(/\bat \S+.*:\d+:\d+|Node\.js v/);
  });

  it("starts nothing for a name that is taken", async () => {
    writeFileSync(config, "upstreams:\n  mine:\n    command: prog\n");
    const mark = join(world.root, "started");
    await refuses(upstreams("add", "mine", "--", "touch", mark), "--replace");
    expect(existsSync(mark)).toBe(false);
  });

  it.each([
    ["./bin/prog", "bin/prog"],
    ["bin/prog", "bin/prog"],
    ["../prog", "../prog"],
  ])("writes the program %s as a whole path", async (given, path) => {
    await upstreams("add", "here", "--no-check", "--", given, ".", "./x", "-y", "@scope/name");
    const { upstreams: written } = parse(configured());
    expect(written.here.command).toBe(join(world.root, path));
    expect(written.here.args).toEqual([".", join(world.root, "x"), "-y", "@scope/name"]);
  });

  it("sees a folder from where it was typed", async () => {
    await upstreams("add", "here", "--no-check", "--cwd", "sub/dir", "--", "prog");
    expect(configured()).toContain(`cwd: '${join(world.root, "sub/dir")}'\n`);
  });

  it.each(["/elsewhere", "~/notes", `\${WORK}/notes`])("leaves the folder %s as it is", async (folder) => {
    await upstreams("add", "here", "--no-check", "--cwd", folder, "--", "prog");
    expect(configured()).toContain(`cwd: '${folder}'\n`);
  });

  it("keeps what another command writes meanwhile", async () => {
    const lock = `${config}.lock`;
    mkdirSync(lock);
    const adding = upstreams("add", "mine", "--no-check", "--", "prog");
    await sleep(100);
    writeFileSync(config, "upstreams:\n  theirs:\n    command: other\n");
    rmSync(lock, { recursive: true });
    expect((await adding).code).toBe(0);
    expect(configured()).toMatch(/theirs:\n(.*\n)* {2}mine:\n/);
  });
});

describe("toolgate upstreams remove", () => {
  it("keeps what another command writes meanwhile", async () => {
    const theirs = "upstreams:\n  theirs:\n    command: other\n";
    writeFileSync(config, "upstreams:\n  mine:\n    command: prog\n");
    const lock = `${config}.lock`;
    mkdirSync(lock);
    const removing = upstreams("remove", "mine");
    await sleep(100);
    writeFileSync(config, `${theirs}  mine:\n    command: prog\n`);
    rmSync(lock, { recursive: true });
    expect((await removing).code).toBe(0);
    expect(configured()).toBe(theirs);
  });

  it("names a command that shows which file has it", async () => {
    await refuses(upstreams("remove", "nosuch"), /: toolgate config show$/m);
    expect((await world.run("config show")).code).toBe(0);
  });
});
