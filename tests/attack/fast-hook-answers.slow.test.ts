import {
  chmodSync,
  chownSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  bash,
  createFastHookWorld,
  type FastHookWorld,
  nonceOf,
  type OnRequest,
  rules,
  type ScriptEnd,
} from "../fast-hook-world.ts";

const call = bash("git push --force");

/** Whatever happened: the call was handed to the process, whole. */
function expectProcess(world: FastHookWorld, end: ScriptEnd, sent: unknown = call): void {
  expect(end).toEqual({ code: 2, out: "", err: "by a process\n" });
  expect(world.fallback()?.toString()).toBe(typeof sent === "string" ? sent : JSON.stringify(sent));
}

/** A world with rules and a server that holds them. */
async function served() {
  const world = createFastHookWorld();
  world.user(rules);
  return { world, server: await world.serve() };
}

/** A world in which something else answers: `make` is given the key, the nonce and what was sent. */
async function answered(make: (key: string, nonce: string, request: string) => string) {
  const world = createFastHookWorld();
  const asked: string[] = [];
  await world.falseServer((socket, sent, door) => {
    asked.push(sent);
    socket.end(make(door.key, nonceOf(sent), sent));
  });
  return { world, asked };
}

const ok = "HTTP/1.1 200 OK\r\n\r\n";

/** What the script believes: its length in seven digits, and then code, lengths and texts. */
function whole(key: string, nonce: string, said = "0 0 0\n"): string {
  return `${ok}${key} ${nonce} ${String(Buffer.byteLength(said)).padStart(7, "0")} ${said}`;
}

describe("what listens instead of the server", () => {
  it("is believed only with the key of the file: the control for everything below", async () => {
    const { world } = await answered((key, nonce) => whole(key, nonce));
    expect(await world.ask(call)).toEqual({ code: 0, out: "", err: "" });
    expect(world.fallback()).toBeUndefined();
  });

  it("may say that the second text is a part of the first, with line breaks as JSON has them", async () => {
    const out = '{"reason":"no\\nnot här"}\n';
    const said = `2 ${Buffer.byteLength(out)} =11:12\n${out}`;
    const { world } = await answered((key, nonce) => whole(key, nonce, said));
    expect(await world.ask(call)).toEqual({ code: 2, out, err: "no\nnot här\n" });
  });

  it.each(["=", "=:", "=1:", "=1:x", "=1:2:3", "=20:20", "=-1:2", "=99999999:1", "=1:a[$(id>&2)]"])(
    "is not believed with %s as the place of the second text",
    async (place) => {
      const { world } = await answered((key, nonce) => whole(key, nonce, `2 10 ${place}\n0123456789`));
      expectProcess(world, await world.ask(call));
    },
  );

  const allow = '{"hookSpecificOutput":{"permissionDecision":"allow"}}';
  it.each<[string, (key: string, nonce: string, request: string) => string]>([
    ["says nothing and closes", () => ""],
    ["answers garbage", () => "\x00\x01\x02garbage\r\n\r\n\xff\xfe"],
    ["answers an empty 200", () => "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"],
    ["answers an allow of its own", () => `${ok}${allow}`],
    ["does not know the key", (_, nonce) => whole("k".repeat(43), nonce)],
    [
      "sends the token back as the key",
      (_, nonce, sent) => whole(/Bearer (\S+)/.exec(sent)?.[1] ?? "", nonce),
    ],
    ["answers another request", (key) => whole(key, "1.2")],
    ["answers with another status", (key, nonce) => whole(key, nonce).replace("200 OK", "403 No")],
    ["answers half", (key, nonce) => whole(key, nonce, '2 8 3\n{"a":1}\nno\n').slice(0, -5)],
    ["answers the head alone", () => ok],
    [
      "answers with headers that are not expected",
      (key, nonce) => whole(key, nonce).replace("OK\r\n", "OK\r\ncontent-length: 9\r\n"),
    ],
    ["answers the key alone", (key, nonce) => whole(key, nonce).replace(/0000006.*$/s, "")],
    ["answers more than it says", (key, nonce) => whole(key, nonce, '0 0 0\n{"more":1}')],
    ["says a length that is a sum", (key, nonce) => whole(key, nonce).replace("0000006", "a[$(id)]")],
    ["says more than it answers", (key, nonce) => whole(key, nonce).replace("0000006", "0000007")],
    ["ends with a code that means nothing", (key, nonce) => whole(key, nonce, "1 0 0\n")],
    ["says lengths that are sums", (key, nonce) => whole(key, nonce, "0 a[$(exit)] 0\n")],
    ["says lengths below nothing", (key, nonce) => whole(key, nonce, "0 -1 1\n")],
    ["answers a NUL", (key, nonce) => whole(key, nonce, "0 3 0\na\0b")],
    ["sends lines without an end", () => `HTTP/1.1 200 OK\r\n${"x".repeat(70_000)}`],
    ["says that it works and closes", () => "HTTP/1.1 102 Processing\r\n\r\n"],
  ])("%s: the process is asked, with the whole call", async (_what, make) => {
    const { world } = await answered(make);
    expectProcess(world, await world.ask(call));
  });

  it.each<[string, OnRequest]>([
    ["closes at once", (socket) => socket.destroy()],
    [
      "sends more than any answer has",
      (socket) => {
        socket.write(ok);
        const more = () => {
          while (!socket.destroyed && socket.write("x".repeat(65_536)));
        };
        socket.on("drain", more);
        more();
      },
    ],
  ])("%s: it is left, and the process is asked", async (_what, onRequest) => {
    const world = createFastHookWorld();
    await world.falseServer(onRequest);
    expectProcess(world, await world.ask(call));
  });

  it("is nobody any more: the process is asked", async () => {
    const { world, server } = await served();
    const address = readFileSync(world.addressFile, "utf8");
    await server.close();
    writeFileSync(world.addressFile, address, { mode: 0o600 });
    expectProcess(world, await world.ask(call));
  });
});

describe("the address file", () => {
  async function believed(): Promise<FastHookWorld> {
    const { world } = await answered((key, nonce) => whole(key, nonce));
    expect((await world.ask(call)).code).toBe(0);
    return world;
  }

  it.skipIf(process.getuid?.() !== 0)("of another user is not read", async () => {
    const world = await believed();
    chownSync(world.addressFile, 65_534, 65_534);
    expectProcess(world, await world.ask(call));
  });

  it("that is a link, a folder or a pipe is not read", async () => {
    const world = await believed();
    const real = join(world.base, "real");
    renameSync(world.addressFile, real);
    symlinkSync(real, world.addressFile);
    expectProcess(world, await world.ask(call));
    rmSync(world.addressFile);
    mkdirSync(world.addressFile);
    expectProcess(world, await world.ask(call));
    rmSync(world.addressFile, { recursive: true });
    linkSync(real, world.addressFile);
    expect((await world.ask(call)).code).toBe(0);
  });

  const changes: [string, (fields: string[]) => string[]][] = [
    ["of another form", (all) => all.with(1, "2")],
    ["cut short", (all) => all.slice(0, 5)],
    ["without its end", (all) => all.slice(0, 7)],
    ["with more behind its end", (all) => [...all, "more"]],
    ["with a name instead of an address", (all) => all.with(2, "localhost")],
    ["with an address of another machine", (all) => all.with(2, "10.0.0.1")],
    ["with a path in its port", (all) => all.with(3, `${all[3]}/x`)],
    ["with a word in its token that ends a header", (all) => all.with(4, `${"a".repeat(43)}\rX:y`)],
    ["with a short token", (all) => all.with(4, "a")],
    ["with commands in it", (all) => all.with(3, "$(exit)")],
    ["that is empty", () => []],
  ];
  it.each(changes)("%s is not used", async (_what, change) => {
    const world = await believed();
    const all = readFileSync(world.addressFile, "utf8").trimEnd().split(" ");
    writeFileSync(world.addressFile, `${change(all).join(" ")}\n`, { mode: 0o600 });
    expectProcess(world, await world.ask(call));
  });

  it("that others can read makes its token worthless, and the server says so", async () => {
    const { world, server } = await served();
    expect((await world.ask(bash("ls"))).code).toBe(0);
    const address = readFileSync(world.addressFile, "utf8");
    chmodSync(world.addressFile, 0o644);
    expectProcess(world, await world.ask(bash("ls")), bash("ls"));
    expect(server.told.join()).toContain("can be read by others");
    // Not even if somebody makes it private again.
    writeFileSync(world.addressFile, address, { mode: 0o600 });
    expectProcess(world, await world.ask(bash("ls")), bash("ls"));
  });

  it("is made for its owner alone, whatever the umask, and is gone when the server is", async () => {
    const world = createFastHookWorld();
    const before = process.umask(0);
    const server = await world.serve().finally(() => process.umask(before));
    expect(statSync(world.addressFile).mode & 0o777).toBe(0o600);
    await server.close();
    expect(statSync(world.addressFile, { throwIfNoEntry: false })).toBeUndefined();
  });
});

describe("what the agent sends", () => {
  it("cannot become a header or a second request", async () => {
    const { world, asked: seen } = await answered((key, nonce) => whole(key, nonce));
    const nasty = '{"a":"\r\n\r\nPOST /api/approvals/x HTTP/1.1\r\nHost: x\r\n\r\n"}';
    expect((await world.ask(nasty)).code).toBe(0);
    const [head = "", ...body] = (seen[0] ?? "").split("\r\n\r\n");
    expect(body.join("\r\n\r\n")).toBe(`${nasty}\n`);
    expect(head).not.toContain("Content-Length");
  });

  it.each([
    ["CLAUDE_PROJECT_DIR", "/x\r\nAuthorization: Bearer y"],
    ["TOOLGATE_ROUTES", "/x\n"],
    ["CLAUDE_CONFIG_DIR", "/x\ty"],
    ["CLAUDE_PLUGIN_ROOT", `/${"x".repeat(20_000)}`],
  ])("in %s is sent only if it cannot end the header", async (name, value) => {
    const { world } = await answered((key, nonce) => whole(key, nonce));
    expectProcess(world, await world.ask(call, { env: { [name]: value } }));
  });

  it("may be any bytes: what is no call is denied, by whom ever", async () => {
    const { world } = await served();
    const forced = '{"tool_name":"Bash","tool_input":{"command":"git push --force"}}';
    for (const bytes of [
      ...["", "{", "\n\n\n", "null", "[]", "%s%n$(exit 0)`exit 0`\\"],
      Buffer.from([0xff, 0xfe, 0x00, 0x01]),
      Buffer.from(forced.replace("force", "force\xff"), "latin1"),
      '{"tool_name":"Bash","tool_input":{"command":"ls"}}{"tool_name":"Bash"}',
      Buffer.from(`${forced}\0x`),
    ])
      expect((await world.ask(bytes)).code, String(bytes)).toBe(2);
  });

  it.each([
    ["nothing", "{}"],
    ["many ends of lines", "{}\n\n\n"],
    ["many large letters", `{"a":"${"é€😀".repeat(20_000)}"}`],
    ["three million letters", `{"a":"${"x".repeat(3_000_000)}"}\n`],
    ["what printf would read", "a\\nb%s\\"],
    ["what is no ASCII", "\xff".repeat(10)],
  ])("reaches the process byte for byte, also with %s", async (_what, text) => {
    const world = createFastHookWorld();
    expectProcess(world, await world.ask(text), text);
  });

  it("is judged whole by the server, up to the size that the script sends", async () => {
    const { world } = await served();
    const long = bash(`echo ${"é".repeat(50_000)}; git push --force`);
    const end = await world.ask(long);
    expect([end.code, world.fallback()]).toEqual([2, undefined]);
    expect(end.err).toContain("open a pull request");
  });
});

describe("a program other than Claude Code that reads its settings", () => {
  const session = "0bc79d0d-4aab-44ed-9162-01c7120c3ccd";

  it.for<readonly [string, number, Record<string, string>, string | undefined]>([
    ["nothing says that it is Claude Code", 30, {}, session],
    [
      "it runs inside of Claude Code, in a session of its own",
      30,
      { CLAUDE_CODE_SESSION_ID: session },
      "another",
    ],
    ["it names no session", 30, { CLAUDE_CODE_SESSION_ID: session }, undefined],
    ["the variable is empty", 30, { CLAUDE_CODE_SESSION_ID: "" }, ""],
    ["the variable is a pattern", 30, { CLAUDE_CODE_SESSION_ID: "*" }, session],
    ["it is Claude Code", 300, { CLAUDE_CODE_SESSION_ID: session }, session],
  ])(
    "may give up before a person answers, so nobody is waited for longer than a process takes: %s",
    async ([, seconds, env, id]) => {
      const { world, asked } = await answered((key, nonce) => whole(key, nonce));
      await world.ask({ ...call, ...(id !== undefined && { session_id: id }) }, { env, seconds: 300 });
      expect(asked[0]).toMatch(new RegExp(`\\nToolgate-Call: \\S+\\t${seconds}\\t`));
    },
  );

  it.for([[], ["claude-code"], ["claude-code", "/no/node", "300", "k", "||", "exit", "2"]])(
    "or that knows only the script's name gets the same answer from it: %j",
    async (args) => {
      const { world } = await served();
      const { code, err } = await world.ask(call, { args });
      expect([code, err]).toEqual([2, expect.stringContaining("open a pull request")]);
    },
  );

  it("and that asks for no server gets none", async () => {
    const { world } = await answered((key, nonce) => whole(key, nonce));
    expectProcess(world, await world.ask(call, { seconds: 0 }));
  });
});

describe("the environment", () => {
  it("cannot bring code into the script, and never gets the token", async () => {
    const { world } = await served();
    const evil = world.write("evil.sh", `touch ${world.base}/owned; exit 0\n`);
    const env = {
      BASH_ENV: evil,
      ENV: evil,
      SHELLOPTS: "xtrace:allexport",
      BASHOPTS: "extdebug",
      POSIXLY_CORRECT: "1",
      "BASH_FUNC_read%%": "() { exit 0; }",
      "BASH_FUNC_printf%%": "() { exit 0; }",
      "BASH_FUNC_deny%%": "() { exit 0; }",
      IFS: "0123456789",
      TMOUT: "1",
      SECONDS: "100000",
      GLOBIGNORE: "*",
      PS4: `$(touch ${world.base}/owned)`,
      tg_token: "x",
      tg_body: "y",
      tg_status: "0",
      LC_ALL: "C.UTF-8",
    };
    const end = await world.ask(call, { env });
    expect([end.code, world.fallback()]).toEqual([2, undefined]);
    expect(end.err).toContain("open a pull request");
    expect(statSync(join(world.base, "owned"), { throwIfNoEntry: false })).toBeUndefined();
    const [, , , , token = "-", key = "-"] = readFileSync(world.addressFile, "utf8").split(" ");
    // A status that is no 200, so that the process is started after the token was read.
    expectProcess(world, await world.ask("{", { env }), "{");
    const handedOn = readFileSync(join(world.base, "fallback-env"), "utf8");
    expect(handedOn).not.toContain(token);
    expect(handedOn).not.toContain(key);
    expect(handedOn).not.toContain("tg_");
    expect(handedOn).toContain("LC_ALL=C.UTF-8");
  });

  it("of another home is not for this server", async () => {
    const { world } = await served();
    const env = { XDG_CONFIG_HOME: join(world.base, "other") };
    expectProcess(world, await world.ask(bash("ls"), { env }), bash("ls"));
  });

  it("without a process to fall back to leaves a denial", async () => {
    const world = createFastHookWorld();
    const gone = await world.ask(call, { node: join(world.base, "no-node") });
    expect([gone.code, gone.out]).toEqual([2, ""]);
    expect(gone.err).toContain("cannot be started");
    rmSync(join(world.base, "hook", "hook.cjs"));
    const end = await world.ask(call);
    expect(end.code).toBe(2);
    expect(end.err).toContain("install toolgate again");
  });
});

describe("the endpoint", () => {
  it("takes the script's form, which says where rules and records are, from the script's token alone", async () => {
    const { world, server } = await served();
    const post = (headers: Record<string, string>, place = "") =>
      new Promise<number | undefined>((resolve, reject) => {
        const sent = request(`${server.http.url}/api/hook/claude-code`, {
          method: "POST",
          headers: { "content-type": "application/json", trailer: "Toolgate-Place", ...headers },
        });
        sent.on("response", (response) => resolve(response.resume().statusCode)).on("error", reject);
        sent.write(JSON.stringify(bash("ls")));
        sent.addTrailers({ "Toolgate-Place": place });
        sent.end();
      });
    const form = { "toolgate-call": "1.1\t30\t." };
    const elsewhere = `PWD=/\tHOME=${world.base}\t.`;
    expect(await post({ authorization: `Bearer ${server.token}`, ...form }, elsewhere)).toBe(403);
    const [, , , , own = ""] = readFileSync(world.addressFile, "utf8").split(" ");
    const script = { authorization: `Bearer ${own}` };
    expect(await post({ ...script, ...form }, elsewhere)).toBe(409);
    expect(await post(form, elsewhere)).toBe(401);
    // What comes before the script knows us must not say where the call happens.
    expect(await post({ ...script, "toolgate-call": `1.1\t30\t${elsewhere}` })).toBe(400);
    expect(await post({ ...script, ...form })).toBe(400);
  });
});
