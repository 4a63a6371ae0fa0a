import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { useCliWorld } from "./cli-world.ts";
import { expectEnd, says } from "./expect-end.ts";

const world = useCliWorld();

const variable = (name: string) => `\${${name}}`;
const configFile = () => join(world.home, ".config/toolgate/config.yaml");
const config = () => readFileSync(configFile(), "utf8");
const claude = (mcpServers: unknown) => world.file(".mcp.json", JSON.stringify({ mcpServers }));
const vscode = (servers: unknown) => world.file(".vscode/mcp.json", JSON.stringify({ servers }));
const run = (from: string, options: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  world.run(["upstreams", "import", from, ...options], { env });
const withKey = (key: string, command = "a") => ({ command, env: { API_KEY: key } });

describe("a secret of an imported server", () => {
  it("never gets the name of another server's secret", async () => {
    claude({ one: withKey("sk-one-11111111"), two: withKey("sk-two-22222222") });
    const { out } = await says(run("claude", ["--yes"]));
    expect(config()).toContain(`API_KEY: '${variable("API_KEY")}'`);
    expect(config()).toContain(`API_KEY: '${variable("TWO_API_KEY")}'`);
    expect(out).toContain("Set before they work: API_KEY, TWO_API_KEY\n");
  });

  it("shares its name with the same secret", async () => {
    claude({ one: withKey("sk-one-11111111"), two: withKey("sk-one-11111111") });
    expect((await run("claude", ["--yes"])).out).toContain("Set before they work: API_KEY\n");
  });

  it("takes a variable that is set only if that holds the same value", async () => {
    claude({ one: withKey("sk-one-11111111") });
    await says(run("claude", ["--dry-run"], { API_KEY: "sk-other-3333333" }), variable("ONE_API_KEY"));
    await expectEnd(run("claude", ["--yes"], { API_KEY: "sk-one-11111111" }), {
      out: variable("API_KEY"),
      never: "Set before they work",
    });
  });

  it("does not take a name that another server refers to, here or in the configuration", async () => {
    claude({ one: withKey("sk-one-11111111"), two: withKey(variable("API_KEY")) });
    expect((await run("claude", ["--dry-run"])).out).toContain(variable("ONE_API_KEY"));
    claude({ one: withKey("sk-one-11111111") });
    await run("claude", ["--yes"]);
    claude({ one: withKey("sk-one-11111111"), two: withKey("sk-two-22222222") });
    await says(run("claude", ["two", "--dry-run"]), variable("TWO_API_KEY"));
    await says(run("claude", ["one", "--replace", "--dry-run"]), `'${variable("API_KEY")}'`);
  });

  it("gets a name that can be one, also when the servers' names differ only in signs", async () => {
    const server = (key: string) => ({ url: "https://x.example/mcp", headers: { "X-Api-Key": key } });
    claude({
      "a-b": server("sk-one-11111111"),
      a_b: server("sk-two-22222222"),
      c: { command: "c", env: { "my.api.key": "sk-one-33333333" } },
      "GitHub (Work)__x": server("sk-one-44444444"),
    });
    await says(
      run("claude", ["--yes"]),
      "Set before they work: A_B_X_API_KEY, A_B_X_API_KEY_2, C_MY_API_KEY, GITHUB_WORK_X_X_API_KEY\n",
    );
    expect(config()).toContain("\n  github-work-x:\n");
  });

  it("in the query of an address becomes a variable, and nothing else of the address changes", async () => {
    claude({ one: { url: "https://x.example/mcp?a=%20b&api_key=sk-one-11111111&c=" } });
    await expectEnd(run("claude", ["--yes"]), {
      out: [
        "! url, api_key: its value is not copied; set ONE_API_KEY",
        "Set before they work: ONE_API_KEY\n",
      ],
      never: "sk-one",
    });
    expect(config()).toContain(`url: 'https://x.example/mcp?a=%20b&api_key=${variable("ONE_API_KEY")}&c='`);
  });

  it("in an address is copied where that is asked for, with a warning, and not shown", async () => {
    claude({ one: { url: "https://x.example/mcp?api_key=sk-one-11111111" } });
    await expectEnd(run("claude", ["--copy-secrets", "--yes"]), {
      out: "! url, api_key: its value is copied into the file as it is",
      never: "sk-one",
    });
    expect(config()).toContain("api_key=sk-one-11111111");
  });

  it("in the path of an address is warned of, and not shown", async () => {
    const token = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
    claude({ one: { url: `https://x.example/${token}/mcp` } });
    await expectEnd(run("claude", ["--dry-run"]), {
      out: "! url: a part of it looks like a secret",
      never: token,
    });
  });
});

describe("a variable of an imported server", () => {
  it("that has a value for the case that it is not set need not be set", async () => {
    claude({
      one: { command: "a", env: { LEVEL: variable("LEVEL:-info") }, args: [variable("MODE:-fast")] },
      two: { url: `https://${variable("HOST")}/mcp` },
    });
    expect((await run("claude", ["--yes"])).out).toContain("Set before they work: HOST\n");
  });
});

describe("a server that cannot be used", () => {
  const good = { command: "good-mcp" };

  it.each([
    ["a socket", { url: "unix:///tmp/server.sock" }, "url: must be a full http(s) address"],
    [
      "a socket with a secret",
      { url: "unix:///tmp/server.sock?api_key=sk-one-11111111" },
      "url: must be a full http(s) address",
    ],
    [
      "a fragment behind a secret",
      { url: "https://x.example/mcp?api_key=sk-one-11111111#top" },
      "url: must not have a fragment (#...)",
    ],
    [
      "a password in its address",
      { url: "https://ann:sesame-open-1@x.example/mcp" },
      'url: must not hold a user or password; use "headers"',
    ],
    [
      "a setting of the editor",
      { command: "a", args: ["-x", variable("config:foo.bar")] },
      `args[1]: ${variable("config:foo.bar")} is not the name of an environment variable`,
    ],
    ["a text as args", { command: "a", args: "-x" }, "its args are not a list"],
    ["a mapping in args", { command: "a", args: [{}] }, "one of its args is not text"],
    ["a list as env", { command: "a", env: ["A=1"] }, "its env is not a mapping"],
  ])("(%s) is left out with the reason, and the others are imported", async (_, bad, why) => {
    vscode({ bad, good });
    const shown = await run("vscode", ["--dry-run"]);
    expect(shown.out).toContain(`- bad is left out: ${why}\n`);
    const { out } = await says(run("vscode", ["--yes"]), `- bad is left out: ${why}\n`);
    expect(shown.out + out).not.toMatch(/sk-one|sesame/);
    expect(config()).toBe("upstreams:\n  good:\n    command: good-mcp\n");
  });
});

describe("a file of servers", () => {
  it("that cannot be parsed is said in one line and fails, and the others are imported", async () => {
    world.file(".codex/config.toml", '[mcp_servers.a]\ncommand = \nenv = { K = "sk-one-11111111" }\n');
    world.inHome(".codex/config.toml", '[mcp_servers.good]\ncommand = "good-mcp"\n');
    await expectEnd(run("codex", ["--yes"]), {
      code: 1,
      err: /config\.toml cannot be read: Invalid TOML document: .* \(line 2\)\n$/,
      never: /\\u\{A\}|sk-one/,
    });
    expect(config()).toContain("good-mcp");
  });

  it("that cannot be read fails", async () => {
    mkdirSync(join(world.root, ".mcp.json"));
    await expectEnd(run("claude", ["--dry-run"]), { code: 1, err: ".mcp.json cannot be read" });
  });

  it("that has something else in the place of servers says so", async () => {
    claude([]);
    const err = ".mcp.json cannot be read: mcpServers is not a mapping of names to servers\n";
    await expectEnd(run("claude", ["--dry-run"]), { code: 1, err });
  });

  it("that is not there is no mistake", async () => {
    await expectEnd(run("claude", ["--yes"]), { err: "" });
    expect(existsSync(configFile())).toBe(false);
  });
});
