/** Who listens where the server was: nothing of a call reaches anybody who has not proven to be the server that wrote the address. */
import { spawnSync } from "node:child_process";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  bash,
  createFastHookWorld,
  type FastHookWorld,
  nonceOf,
  type OnRequest,
} from "../fast-hook-world.ts";

const call = bash("deploy --password hunter2");
const byProcess = { code: 2, out: "", err: "by a process\n" };

/** Everything that a false server was sent. */
async function squat(world: FastHookWorld, onHead: OnRequest): Promise<() => string> {
  let seen = "";
  await world.falseServer(
    () => {},
    (socket, head, door) => {
      seen += head;
      socket.on("data", (text) => {
        seen += String(text);
      });
      onHead(socket, head, door);
    },
  );
  return () => seen;
}

/** What the address file says, field by field. */
const fieldsOf = (world: FastHookWorld) => readFileSync(world.addressFile, "utf8").trimEnd().split(" ");

const go = (header: string) => `HTTP/1.1 100 Continue\r\n${header}\r\n\r\n`;
const proves = (word: string, head: string) => go(`Toolgate-Proof: ${word} ${nonceOf(head)}`);

describe("whoever cannot prove to be the server", () => {
  it("gets the call with the proof alone: the control for everything below", async () => {
    const world = createFastHookWorld();
    const seen = await squat(world, (socket, head, door) => {
      socket.write(go(door.proofFor(nonceOf(head))));
      setTimeout(() => socket.end(), 300);
    });
    await world.ask(call);
    expect(seen()).toContain("hunter2");
    expect(seen()).toContain(`PWD=${world.project}`);
  });

  /** What is sent instead, of the head that was read and the proof that would be right. */
  it.for<readonly [string, (head: string, proof: string) => string]>([
    ["says go on", () => "HTTP/1.1 100 Continue\r\n\r\n"],
    ["repeats the token", (head) => proves(/Bearer (\S+)/.exec(head)?.[1] ?? "", head)],
    ["guesses a key", (head) => proves("k".repeat(43), head)],
    ["has a proof for another request", (_, proof) => go(proof.replace(/\S+$/, "1.2"))],
    ["has a pattern for a key", (head) => proves("*".repeat(43), head)],
    ["has the proof in other letters", (_, proof) => go(proof.toLowerCase())],
    ["has the proof behind something else", (_, proof) => go(`X: y\r\n${proof}`)],
    ["sends half of the proof and closes", (_, proof) => `HTTP/1.1 100 Continue\r\n${proof.slice(0, 30)}`],
    ["answers at once", () => "HTTP/1.1 200 OK\r\n\r\n0 0 0\n"],
    ["sends us elsewhere", () => "HTTP/1.1 307 Temporary Redirect\r\nLocation: http://evil.example/\r\n\r\n"],
  ])("gets nothing of it, and the process is asked: %s", async ([, say]) => {
    const world = createFastHookWorld();
    const seen = await squat(
      world,
      (socket, head, door) => void socket.end(say(head, door.proofFor(nonceOf(head)))),
    );
    expect(await world.ask(call)).toEqual(byProcess);
    expect(world.fallback()?.toString()).toBe(JSON.stringify(call));
    expect(seen()).toContain("Toolgate-Call: ");
    // Nor where it happens, nor in whose home.
    for (const told of ["hunter2", "deploy", world.project, world.home]) expect(seen()).not.toContain(told);
  });
});

describe("an address that a dead server has left", () => {
  it.for<readonly [string, () => string]>([
    [
      "its process is gone",
      () => String(spawnSync("/bin/sh", ["-c", "echo $$"], { encoding: "utf8" }).stdout).trim(),
    ],
    ["it names no process", () => "x"],
    ["it names a group of processes", () => "-1"],
    ["it names all processes of a group", () => "0"],
    ["it names a job", () => "%1"],
    ["it is a number that no process has", () => "4000000000"],
  ])("is not even connected to: %s", async ([, pid]) => {
    const world = createFastHookWorld();
    let connections = 0;
    const squatter = createServer((socket) => {
      connections++;
      socket.destroy();
    });
    await new Promise<void>((resolve) => squatter.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void squatter.close());
    await world.falseServer(() => {});
    const { port } = squatter.address() as { readonly port: number };
    const all = fieldsOf(world).with(3, String(port));
    writeFileSync(world.addressFile, `${all.join(" ")}\n`, { mode: 0o600 });
    expect(await world.ask(call)).toEqual(byProcess);
    expect(connections).toBe(1);
    writeFileSync(world.addressFile, `${all.with(6, pid()).join(" ")}\n`, { mode: 0o600 });
    expect(await world.ask(call)).toEqual(byProcess);
    expect(connections).toBe(1);
  });

  it.skipIf(process.getuid?.() === 0)("is not connected to when its process is another user's", async () => {
    const world = createFastHookWorld();
    await world.falseServer((socket) => void socket.end());
    writeFileSync(world.addressFile, `${fieldsOf(world).with(6, "1").join(" ")}\n`, { mode: 0o600 });
    expect(await world.ask(call)).toEqual(byProcess);
  });
});

describe("the server", () => {
  const head = (port: number, token: string, sent = "1.1\t30\t.") =>
    `POST /api/hook/claude-code HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n` +
    `Toolgate-Call: ${sent}\r\nContent-Type: application/json\r\nConnection: close\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n`;

  it("tells its key to nobody but the holder of the script's token", async () => {
    const world = createFastHookWorld();
    const { http, token, door } = await world.serve();
    const { port } = http;
    const own = fieldsOf(world)[4] ?? "";
    expect(await firstAnswer(port, head(port, own))).toContain(door.key);
    for (const request of [
      head(port, token),
      head(port, "x".repeat(43)),
      head(port, own.toUpperCase()),
      head(port, own, "$(id)\t30\t."),
      head(port, own, "1.1\t30\tPWD=/\t."),
      head(port, own).replace("Toolgate-Call", "X-Call"),
      head(port, own).replace("/claude-code", "/other/x"),
    ])
      expect(await firstAnswer(port, request), request).not.toContain(door.key);
  });

  it("tells it to nobody at all after its file was open to others, and says so at once", async () => {
    const world = createFastHookWorld();
    const { http, door } = await world.serve();
    const own = fieldsOf(world)[4] ?? "";
    chmodSync(world.addressFile, 0o640);
    const answer = await firstAnswer(http.port, head(http.port, own));
    expect(answer).toContain("HTTP/1.1 503");
    expect(answer).not.toContain(door.key);
  });
});

function firstAnswer(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(text));
    socket.on("error", reject).on("close", () => resolve(""));
    socket.once("data", (bytes) => {
      resolve(bytes.toString("latin1"));
      socket.destroy();
    });
  });
}

describe("the environment of the process", () => {
  it("is a list: what is not on it does not reach Node, whatever its name", async () => {
    const world = createFastHookWorld();
    const listed = {
      LANG: "C.UTF-8",
      TZ: "UTC",
      XDG_CACHE_HOME: "/c",
      XDG_DATA_HOME: "/d",
      CLAUDE_PROJECT_DIR: world.project,
    };
    const others = [
      ...["NODE_OPTIONS", "NODE_PATH", "NODE_EXTRA_CA_CERTS", "NODE_V8_COVERAGE", "NODE_COMPILE_CACHE"],
      ...["NODE_REPL_EXTERNAL_MODULE", "OPENSSL_CONF", "OPENSSL_MODULES", "SSL_CERT_FILE", "ICU_DATA"],
      ...["UV_THREADPOOL_SIZE", "BASH_ENV", "ENV", "SHELLOPTS", "BASHOPTS", "PS4", "IFS", "CDPATH"],
      ...["BASH_COMPAT", "GLOBIGNORE", "_x", "LD_BIND_NOW", "DYLD_INSERT_LIBRARIES", "GCONV_PATH"],
      ...["LOCPATH", "MALLOC_CHECK_", "RES_OPTIONS", "GIT_DIR", "ANTHROPIC_API_KEY", "TOOLGATE_TOOLS_DIR"],
      ...["npm_config_x", "Z", "a"],
    ];
    const env = {
      ...listed,
      ...Object.fromEntries(others.map((name) => [name, name === "BASH_COMPAT" ? "3.1" : "C"])),
    };
    expect(await world.ask("{", { env })).toEqual(byProcess);
    const handedOn = readFileSync(join(world.base, "fallback-env"), "utf8")
      .split("\n")
      .filter((line) => line.includes("="))
      .map((line) => line.split("=", 1)[0]);
    // The stand-in is a shell, which sets these by itself.
    const own = ["PWD", "OLDPWD", "SHLVL", "_"];
    expect(handedOn.filter((name) => !own.includes(name ?? "")).sort()).toEqual(
      ["HOME", "PATH", ...Object.keys(listed)].sort(),
    );
  });

  it("brings no program into the way of a large call: what copies it is the system's own", async () => {
    const world = createFastHookWorld();
    const evil = world.write("bin/cat", "#!/bin/sh\necho '{}'\n");
    spawnSync("chmod", ["755", evil]);
    const large = JSON.stringify(bash("x".repeat(200_000)));
    const env = { PATH: `${join(world.project, "bin")}:${process.env.PATH}` };
    const node = join(world.base, "reads-by-itself");
    writeFileSync(node, `#!/bin/sh\n/bin/cat > "${world.base}/fallback"\necho "by a process" >&2\nexit 2\n`, {
      mode: 0o755,
    });
    expect(await world.ask(large, { env, node })).toEqual(byProcess);
    expect(world.fallback()?.toString()).toBe(large);
  });
});
