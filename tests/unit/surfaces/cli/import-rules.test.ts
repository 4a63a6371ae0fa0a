import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { useCliWorld } from "./cli-world.ts";
import { expectEnd, says } from "./expect-end.ts";

const world = useCliWorld();

const configFile = () => join(world.home, ".config/toolgate/config.yaml");
const projectFile = () => join(world.root, "toolgate.yaml");
const read = (file: string) => readFileSync(file, "utf8");
const run = (from: string, ...options: string[]) => world.run(["import", "rules", from, ...options]);
const { inHome } = world;
const claude = (permissions: object) => inHome(".claude/settings.json", JSON.stringify({ permissions }));
const verdict = async (command: string) => (await world.json(["explain", "Bash", command])).verdict;

describe("import rules", () => {
  it("shows the difference and writes nothing unless somebody says yes", async () => {
    claude({ allow: ["Bash(npm run lint)"], deny: ["Bash(rm:*)"] });
    await says(run("claude", "--dry-run"), "+  claude-user-deny-commands:");
    expect(existsSync(configFile())).toBe(false);
    await expectEnd(run("claude"), {
      code: 1,
      err: "Nothing was changed; --yes writes what is shown above.",
    });
    expect(existsSync(configFile())).toBe(false);
  });

  it("writes the user's permissions into the user's file and the project's into toolgate.yaml", async () => {
    claude({ deny: ["Bash(rm:*)"] });
    world.file(".claude/settings.json", JSON.stringify({ permissions: { deny: ["Bash(curl:*)"] } }));
    await says(run("claude", "--yes"), "toolgate trust toolgate.yaml");
    expect(read(configFile())).toContain("claude-user-deny-commands");
    expect(read(projectFile())).toContain("claude-project-deny-commands");
    expect(await verdict("rm x")).toBe("deny");
    expect(await verdict("ls && curl x.test")).toBe("deny");
  });

  describe("about tools of MCP servers", () => {
    const verdictOf = async (tool: string) => {
      return ((await world.json(["explain", tool, "{}"])) as { verdict: string }).verdict;
    };

    it("approves no more than the servers that Claude Code approves", async () => {
      claude({ allow: ["mcp__*", "mcp__git*", "mcp__store__*", "mcp__shop__get_*"] });
      await says(run("claude", "--yes"), "a name with * is no server's");
      expect(read(configFile())).not.toContain("mcp__git");
      expect(await verdictOf("mcp__github__push")).not.toBe("allow");
      expect(await verdictOf("mcp__store__push")).toBe("allow");
      expect(await verdictOf("mcp__shop__get_all")).toBe("allow");
    });

    it("denies a server by the name that it has in calls, and approves none by a pattern or a part", async () => {
      const mcpServers = { "git*": { trust: true }, "my.shop": { trust: true }, store: { trust: true } };
      inHome(".gemini/settings.json", JSON.stringify({ mcp: { excluded: ["my.srv"] }, mcpServers }));
      const policy = (decision: string, names: string) =>
        `[[rule]]\n${names}\ndecision = "${decision}"\npriority = 9\n`;
      inHome(
        ".gemini/policies/a.toml",
        `${policy("deny", 'mcpName = "a b"\ntoolName = "c.d"')}${policy("allow", 'mcpName = "*"\ntoolName = "look"')}`,
      );
      expect((await run("gemini", "--yes")).code).toBe(0);
      expect(await verdictOf("mcp__my_srv__look")).toBe("deny");
      expect(await verdictOf("mcp__a_b__c_d")).toBe("deny");
      expect(await verdictOf("mcp__github__look")).not.toBe("allow");
      expect(await verdictOf("mcp__my_shop__look")).not.toBe("allow");
      expect(await verdictOf("mcp__store__look")).toBe("allow");
    });

    it("approves no tool of Cline by a star, and none whose name could be another's", async () => {
      const data = ".cline/data";
      inHome(
        `${data}/globalState.json`,
        JSON.stringify({ autoApprovalSettings: { actions: { useMcp: true } } }),
      );
      const mcpServers = { store: { autoApprove: ["*", "look"] }, "my srv": { autoApprove: ["look"] } };
      inHome(`${data}/settings/cline_mcp_settings.json`, JSON.stringify({ mcpServers }));
      expect((await run("cline", "--yes")).code).toBe(0);
      expect(await verdictOf("mcp__store__look")).toBe("allow");
      expect(await verdictOf("mcp__store__drop")).not.toBe("allow");
      expect(await verdictOf("mcp__my_srv__look")).not.toBe("allow");
    });
  });

  it("approves nothing by a project's file that nobody trusts", async () => {
    world.file(".claude/settings.json", JSON.stringify({ permissions: { allow: ["Bash(npm run lint)"] } }));
    await run("claude", "--yes");
    expect(await verdict("npm run lint")).not.toBe("allow");
  });

  it("writes tests that hold, also beside stricter rules that are there already", async () => {
    claude({
      allow: ["Bash(npm run lint)", "Bash(git status)", "Read(~/notes/**)"],
      ask: ["Bash(git push *)"],
      deny: ["WebFetch(domain:pastebin.com)", "Read(./.env)"],
    });
    world.file(
      "toolgate.yaml",
      "version: 1\npolicies:\n  no-lint:\n    tools: Bash\n    action: deny\n    conditions:\n      - { type: command, operator: startsWith, value: npm run }\n",
    );
    expect((await run("claude", "--yes")).code).toBe(0);
    expect(read(configFile())).toContain("tests:");
    const tested = await world.run("test");
    expect(tested.out + tested.err).not.toContain("✗");
    expect(tested.code).toBe(0);
  });

  it("takes the place of an earlier import, and leaves everything else in the file as it was", async () => {
    const own =
      "# mine\nversion: 1\npolicies:\n  # keep this\n  no-sudo: { tools: Bash, action: deny, conditions: [{ type: command, operator: startsWith, value: sudo }] }\n";
    inHome(".config/toolgate/config.yaml", own);
    claude({ deny: ["Bash(rm:*)", "WebSearch"] });
    await run("claude", "--yes");
    const once = read(configFile());
    expect(once).toContain("# keep this");
    expect((await run("claude", "--yes")).out).toContain("Nothing would change.");
    expect(read(configFile())).toBe(once);
    claude({ deny: ["Bash(rm:*)"] });
    await run("claude", "--yes");
    expect(read(configFile())).not.toContain("deny-tools");
    expect(read(configFile()).startsWith(own)).toBe(true);
  });

  it("lists what is not the same as before", async () => {
    claude({ defaultMode: "plan", allow: ["Bash(echo $HOME)"], deny: ['Bash(echo "x"*)'] });
    await says(
      run("claude", "--dry-run"),
      "- defaultMode: plan is left out:",
      "- Bash(echo $HOME) is left out:",
      '! Bash(echo "x"*) is stricter now:',
    );
  });

  it("shows foreign text with nothing hidden in it", async () => {
    inHome(
      ".codex/rules/a.rules",
      'prefix_rule(pattern=["rm"], decision="forbidden", justification="no\u202Eon \u001b[2J")\n',
    );
    const { out } = await run("codex", "--dry-run");
    for (const hidden of ["\u202E", "\u001b"]) expect(out).not.toContain(hidden);
    expect(out).toContain("u202e");
  });

  it("says which line of a rule file it does not understand, and takes nothing of that file", async () => {
    inHome(
      ".codex/rules/a.rules",
      'prefix_rule(pattern=["ls"])\nfor x in ["a"]:\n  prefix_rule(pattern=[x])\n',
    );
    await expectEnd(run("codex", "--yes"), {
      code: 1,
      err: "a.rules cannot be read: only calls with literal arguments are understood (line 2)",
      never: "codex-user",
    });
    expect(existsSync(configFile())).toBe(false);
  });

  it("makes tests of the examples that rules of Codex carry", async () => {
    inHome(
      ".codex/rules/a.rules",
      'prefix_rule(pattern=["git", ["push", "fetch"]], decision="prompt", justification="Ask first.", match=["git push origin", ["git", "fetch"]], not_match=["git status"])\n',
    );
    const { out } = await run("codex", "--dry-run", "--json");
    const { files } = JSON.parse(out) as {
      files: { policies: Record<string, { reason: string; tests: unknown[] }> }[];
    };
    const policy = files[0]?.policies["codex-user-ask-commands"];
    expect(policy?.reason).toBe("Ask first.");
    const shell = (command: string, expect: string) => ({
      input: { tool_name: "Bash", tool_input: { command } },
      expect,
    });
    expect(policy?.tests).toEqual(
      expect.arrayContaining([
        shell("git push origin", "ask"),
        shell("git fetch", "ask"),
        shell("git status", "allow"),
      ]),
    );
  });

  it("says where it looked if there is nothing", async () => {
    for (const from of ["claude", "codex", "gemini", "opencode", "cline"]) {
      const { code, out } = await run(from, "--dry-run");
      expect(code, from).toBe(0);
      expect(out).toContain("has no permissions here. Looked for:");
    }
  });

  it("keeps a list of policies a list", async () => {
    inHome(
      ".config/toolgate/config.yaml",
      "version: 1\npolicies:\n  - name: mine\n    tools: WebSearch\n    action: deny\n",
    );
    claude({ deny: ["Bash(rm:*)"] });
    expect((await run("claude", "--yes")).code).toBe(0);
    expect(read(configFile())).toContain("- name: claude-user-deny-commands");
    expect(await verdict("rm x")).toBe("deny");
  });
});
