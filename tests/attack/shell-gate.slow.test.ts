// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is shell text
/** The shell judge as a call meets it: through a real gate, under every name of a shell, in every form a command can take. */

import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findKnownTool } from "../../src/core/tool/known-tools.ts";
import { createGate, type Explanation, type Gate, type GateOptions, type Policy } from "../../src/index.ts";
import { tool } from "../unit/paper-gate.ts";
import { approve, approveAll, deny, folderWith, command as says } from "./command-policies.ts";
import devSet from "./data/shell-dev-set.json" with { type: "json" };
import { BENIGN_LINES, ESCAPES } from "./shell-escapes.ts";
import { type DevCommand, LONG_LIST, SHORT_LIST } from "./shell-policy.ts";

const aliases = findKnownTool("shell.exec")?.aliases ?? [];
const names = ["shell.exec", "shell_exec", ...aliases];
const kinds = ["call", "check"] as const;

/** The same line in the fields that agents use for it. */
const forms: Readonly<Record<string, (line: string) => Record<string, unknown>>> = {
  command: (line) => ({ command: line }),
  cmd: (line) => ({ cmd: line }),
  commands: (line) => ({ commands: ["true", line] }),
};
const words = (line: string) => ({ command: ["bash", "-lc", line] });

const shell = tool({ id: "shell.exec", aliases, permission: "execute", capabilities: ["shell:run"] });

const lines = devSet as readonly DevCommand[];
const attacks = lines.filter(({ kind }) => kind === "attack").map(({ cmd }) => cmd);
const benign = lines.filter(({ kind }) => kind === "benign").map(({ cmd }) => cmd);

const root = folderWith(
  ..."src/ .git/ file a.txt secret/plan.txt .env quiet/src/ quiet/file quiet/a.txt".split(" "),
);
symlinkSync("/etc", join(root, "link"));
symlinkSync(".env", join(root, "innocent"));
/** Harmless lines read this folder as a whole, so it holds nothing that is protected. */
const quiet = join(root, "quiet");

function gateWith(options: GateOptions = {}): Promise<Gate> {
  return createGate({ tools: [shell], roots: [root], enable: { enabledCategories: ["shell"] }, ...options });
}

/** What each line gets, as `verdict line`, for the lines that do not get what they should. */
async function wrong(
  gate: Gate,
  all: readonly string[],
  isRight: (explanation: Explanation) => boolean,
  form = forms.command as (line: string) => Record<string, unknown>,
  tools: readonly string[] = ["Bash"],
  as: readonly ("call" | "check")[] = kinds,
  cwd = root,
): Promise<string[]> {
  const found: string[] = [];
  for (const kind of as)
    for (const tool of tools)
      for (const line of all) {
        const explanation = await gate.explain({ tool, input: form(line), cwd }, { as: kind });
        if (explanation.tool !== "shell.exec" || !isRight(explanation))
          found.push(
            `${tool} ${kind}: ${explanation.verdict} ${JSON.stringify(line)}: ${explanation.message}`,
          );
      }
  return found;
}

const allowed = ({ verdict }: Explanation) => verdict === "allow";
const notAllowed = ({ verdict }: Explanation) => verdict !== "allow";
const denied = ({ verdict }: Explanation) => verdict === "deny";
const asked = ({ verdict }: Explanation) => verdict === "ask";

describe("a policy that approves a few programs by name", () => {
  const policies = [approve(says(SHORT_LIST))];

  it.each(Object.keys(forms))(
    "allows 0 of 100 attacks and asks about 0 of 25 harmless lines, given as `%s`",
    async (form) => {
      expect([attacks.length, benign.length]).toEqual([100, 25]);
      const gate = await gateWith({ policies });
      expect(await wrong(gate, attacks, notAllowed, forms[form], names)).toEqual([]);
      expect(await wrong(gate, benign, allowed, forms[form], names, kinds, quiet)).toEqual([]);
    },
  );

  it("allows 0 of 100 attacks given as a list of words for bash", async () => {
    const gate = await gateWith({ policies });
    expect(await wrong(gate, attacks, notAllowed, words, names)).toEqual([]);
  });

  it("asks about every attack in an agent's own shell where silence means ask", async () => {
    const gate = await gateWith({ policies, checkDefault: "ask" });
    expect(await wrong(gate, attacks, asked)).toEqual([]);
    expect(await wrong(gate, benign, allowed, forms.command, ["Bash"], kinds, quiet)).toEqual([]);
  });

  it("reads an agent's own line as the agent's shell does, and ours as bash", async () => {
    const gate = await gateWith({ policies: [approve(says(LONG_LIST))], agentDialect: "zsh" });
    const lines = ["printf %d 'a[$(touch P)]'", "echo =ls", 'echo "$x[y]"', "test -t 'a[$(touch P)]'"];
    expect(await wrong(gate, lines, notAllowed, forms.command, names, ["check"])).toEqual([]);
    expect(await wrong(gate, lines, allowed, forms.command, names, ["call"])).toEqual([]);
  });

  it("is not there for another tool, however its input looks", async () => {
    const gate = await gateWith({ policies });
    const request = { tool: "SomeTool", input: { command: "ls" }, cwd: root };
    expect((await gate.explain(request, { as: "check" })).verdict).toBe("abstain");
  });

  it("allows no escape from any reading program, when all of them are approved", async () => {
    const gate = await gateWith({ policies: [approve(says(LONG_LIST))] });
    // All that `nohup` adds is its output file; a rule for a program covers it, as it does `nice` and `timeout`.
    const escapes = ESCAPES.filter((line) => line !== "nohup ls");
    expect(await wrong(gate, escapes, notAllowed)).toEqual([]);
  });

  it("without any policy allows no escape either, and never more than reading in plan mode", async () => {
    const gate = await gateWith();
    expect(await wrong(gate, [...ESCAPES, ...attacks], notAllowed)).toEqual([]);
    const planned = await gateWith({ policies: [approveAll] });
    planned.setMode("s", "plan");
    for (const line of [...ESCAPES, ...attacks]) {
      const input = { command: line };
      const { verdict } = await planned.explain({ tool: "Bash", input, cwd: root, sessionId: "s" });
      if (verdict === "allow") expect.fail(line);
    }
  });

  it("is no nuisance: few everyday lines are asked, and only for where they read or write", async () => {
    const gate = await gateWith({ policies: [approve(says(LONG_LIST))] });
    const stopped = await wrong(gate, BENIGN_LINES, allowed, forms.command, ["Bash"], ["call"]);
    expect(stopped.filter((line) => !/outside the workspace|is protected/.test(line))).toEqual([]);
    expect(stopped.length).toBeLessThan(BENIGN_LINES.length * 0.1);
  });
});

describe("a policy that denies rm", () => {
  const wrapped = [
    "rm x",
    "sudo rm x",
    "sudo -u root -- rm x",
    "doas rm x",
    "env X=1 rm x",
    "env -i rm x",
    "echo x | xargs rm",
    "xargs -n1 rm < list",
    "bash -c 'rm x'",
    'sh -c "rm x"',
    "bash -lc 'rm x'",
    "find . -exec rm {} \\;",
    "find . -execdir rm {} +",
    "timeout 5 rm x",
    "/bin/rm x",
    "/usr/bin/../bin/rm x",
    "command rm x",
    "exec rm x",
    "nice rm x",
    "nice -n 5 rm x",
    "nohup rm x",
    "time rm x",
    "setsid rm x",
    "stdbuf -o0 rm x",
    "busybox rm x",
    "eval 'rm x'",
    "trap 'rm x' EXIT",
    "echo `rm x`",
    "echo $(rm x)",
    'echo "$(rm x)"',
    "cat <(rm x)",
    "cat <<EOF\n$(rm x)\nEOF",
    "[[ -n $(rm x) ]]",
    "(( a[$(rm x)] ))",
    "X=1 rm x",
    "r\\m x",
    "'r'm x",
    "$'\\x72m' x",
    "r{m,} x",
    "ls && rm x",
    "ls; rm x",
    "ls\nrm x",
    "ls | rm x",
    "ls & rm x",
    "(rm x)",
    "{ rm x; }",
    "! rm x",
    "if true; then rm x; fi",
    'for f in *; do rm "$f"; done',
    "while rm x; do :; done",
    "case x in x) rm x;; esac",
    "f() { rm x; }; f",
    "sudo env X=1 timeout 5 nice bash -c 'command rm x'",
  ];
  const unreadable = [
    "X=rm; $X x",
    "${X:-rm} x",
    "$(echo rm) x",
    "alias a=rm; a x",
    "python3 -c 'import os; os.remove(\"x\")'",
    "awk 'BEGIN{system(\"rm x\")}'",
    "sed 's/x/rm x/e' file",
    "env -S 'rm x'",
    "ssh host rm x",
    "echo rm x | sh",
    "bash <<< 'rm x'",
    "bash <<'E'\nrm x\nE",
    "parallel rm ::: x",
  ];
  const policies: Policy[] = [
    approve({ type: "risk", operator: "lessThan", value: "opaque" }),
    deny(says("rm")),
  ];

  it("sees it through every wrapper, in every form and under every name", async () => {
    const gate = await gateWith({ policies });
    for (const form of [...Object.values(forms), words])
      expect(await wrong(gate, wrapped, denied, form, names)).toEqual([]);
  });

  it("asks where it cannot see what runs, although all that is understood is approved", async () => {
    const gate = await gateWith({ policies });
    for (const form of [...Object.values(forms), words])
      expect(await wrong(gate, unreadable, notAllowed, form, ["Bash", "shell.exec"])).toEqual([]);
  });

  it("lets what only mentions it pass", async () => {
    const gate = await gateWith({ policies });
    const mentions = [
      "echo rm x",
      "git log --grep='rm -rf /'",
      "echo 'a; rm x'",
      "grep -n rm file",
      "rmdir x",
      "ls # rm x",
    ];
    expect(await wrong(gate, mentions, allowed)).toEqual([]);
  });

  it("also sees what one word of a program decides", async () => {
    const gate = await gateWith({ policies: [approveAll, deny(says("git push"))] });
    const pushes = [
      "git push",
      "git -C . push",
      "git -c a.b=c push origin",
      "/usr/bin/git push -f",
      "sudo git push",
    ];
    expect(await wrong(gate, pushes, denied)).toEqual([]);
    expect(
      await wrong(gate, ["git pull", "git status", "git log push"], ({ rule }) => rule?.name !== "deny"),
    ).toEqual([]);
  });
});

describe("without any policy", () => {
  const writes = approve({ type: "risk", operator: "equals", value: "write" }, { name: "writes" });
  const inside = [
    "ls",
    "ls -la src",
    "git status",
    "git log --oneline | head",
    "cat file",
    "cat ./src/../file",
    "grep -rn x src",
    "ls 2>/dev/null",
    "cat file > /dev/null 2>&1",
    "",
  ];
  const outside = [
    "cat /etc/passwd",
    "cat ../x",
    "cat link/passwd",
    "cat < /etc/passwd",
    "cd / && ls",
    "cd link && cat passwd",
    "ls ~",
    "cat /proc/self/environ",
    "git diff --no-index /etc/passwd file",
    'f=/etc/passwd; cat "$f"',
    "cat $PWD/../x",
  ];
  const more = [
    "curl https://example.com",
    "wget example.com",
    "rm file",
    "npm test",
    "node x.js",
    "git commit -m x",
    "git push",
    "tee a",
    "echo x > a.txt",
    "echo x >> src/a",
    "git -C .. status",
    'cat "$F"',
    "cat $(ls)",
  ];
  const opaque = [
    "$X",
    'eval "$X"',
    "bash script.sh",
    "ls | sh",
    "python3 -c 1",
    "ls $((a[$(id)]))",
    "Get-ChildItem | Remove-Item",
    "dir & del /q x",
    "(",
    "ls 'open",
  ];
  const writesOutside = [
    "echo x > /tmp/a",
    "echo x >> ../a",
    "ls > link/a",
    "cat file > ~/a",
    "ls 2> /var/a",
    "ls &> /a",
    "cat file >| /a",
    "echo x > $HOME/a",
  ];
  const secrets = [
    "cat .env",
    "grep x .env",
    "cat < .env",
    "cat innocent",
    "cat ./.ENV",
    "cat src/../.env",
    "cd src && cat ../.env",
    'cat ".e"nv',
    "cat $'.env'",
    "cat {.env,file}",
    "f=.env; cat $f",
    "sort .env",
    "sed -n 1p .env",
    "awk 1 .env",
    "head -1 .env.local",
    "diff .env file",
    "xxd .env",
    "git diff .env",
    "while read l; do echo $l; done < .env",
    "cat ~/.ssh/id_rsa",
    "cat $HOME/.ssh/id_rsa",
    "echo x > .env",
    "ls > .git/hooks/pre-commit",
    "cp .env a",
    "echo x | tee .env",
    "bash -c 'cat .env'",
  ];

  it("reading inside the workspace is allowed, and nothing else", async () => {
    const gate = await gateWith();
    const ask = (lines: readonly string[], isRight = asked) =>
      wrong(gate, lines, isRight, forms.command, names, ["call"]);
    expect(await ask(inside, allowed)).toEqual([]);
    expect(await ask([...outside, ...more, ...opaque, ...writesOutside])).toEqual([]);
  });

  it("protected files are denied, also when a policy approves the program", async () => {
    expect(await wrong(await gateWith(), secrets, denied, forms.command, names, ["call"])).toEqual([]);
    const approving = await gateWith({ policies: [approve(says(["cp", "tee", ...LONG_LIST])), writes] });
    expect(await wrong(approving, secrets, denied, forms.command, names, ["call"])).toEqual([]);
    // In an agent's own shell the gate is silent about parts that no policy speaks of; it never says yes.
    expect(await wrong(approving, secrets, notAllowed)).toEqual([]);
  });

  it("an approval by name opens no place outside", async () => {
    const gate = await gateWith({ policies: [approve(says(LONG_LIST)), writes] });
    const places = [...outside, ...writesOutside];
    expect(await wrong(gate, places, asked, forms.command, names, ["call"])).toEqual([]);
    expect(await wrong(gate, places, notAllowed)).toEqual([]);
  });

  it("the folder a shell is told to run in is where its paths start", async () => {
    const gate = await gateWith();
    const verdict = async (input: Record<string, unknown>) =>
      (await gate.explain({ tool: "Bash", input, cwd: root })).verdict;
    expect(await verdict({ command: "ls", cwd: "src" })).toBe("allow");
    expect(await verdict({ command: "ls", workdir: "/etc" })).toBe("ask");
    expect(await verdict({ command: "cat passwd", workdir: "link" })).toBe("ask");
    expect(await verdict({ command: "cat ../.env", workdir: "src" })).toBe("deny");
  });

  it("plan mode reads and refuses the rest", async () => {
    const gate = await gateWith({ policies: [approveAll] });
    const verdict = async (command: string, tool: string) => {
      const end = await gate.explain({ tool, input: { command }, cwd: root, mode: "plan" });
      return end.code ?? end.verdict;
    };
    for (const tool of names) {
      for (const line of inside) expect([line, await verdict(line, tool)]).toEqual([line, "allow"]);
      for (const line of [
        "rm file",
        "npm test",
        "echo x > a.txt",
        "git commit -m x",
        "curl https://example.com",
        "$X",
        'eval "$X"',
        "ls && rm x",
        "sort -o a file",
      ])
        expect([line, await verdict(line, tool)]).toEqual([line, "plan_mode"]);
    }
  });
});
