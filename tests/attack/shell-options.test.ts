/** Options that read, write or run something else than the line seems to say, each read as its program reads it. */

import { describe, expect, it } from "vitest";
import { createGate } from "../../src/index.ts";
import { judgeCommand } from "../../src/shell/judge.ts";
import { approve, folderWith, judgedBy, reading, command as says } from "./command-policies.ts";
import { CONTEXT, LONG_LIST } from "./shell-policy.ts";

const last = (line: string) => {
  const command = judgeCommand(line, CONTEXT).commands.at(-1);
  if (command === undefined) throw new Error(`no command in ${line}`);
  return command;
};

describe("an option that names a file", () => {
  it.each([
    "grep -f.env a",
    "grep -qf.env a",
    "grep --file=.env a",
    "grep -e x .env",
    "grep --regexp=x .env",
    'grep --regexp="$(echo x)" .env',
    'grep "-e$(echo x)" .env',
    'rg --regexp="$x" .env',
    "grep --exclude-from=.env x a",
    "wc --files0-from=.env",
    "wc --files0-f=.env",
    "du -X.env",
    "du --exclude-fr=.env",
    "date -f .env",
    "date -uf.env",
    "date --file .env",
    "date --ref=.env",
    "diff --from-file=.env a b",
    "diff --from .env a",
    "diff -rX.env a b",
    "file -m.env a",
    "file -bf .env",
    "hexdump -vf.env a",
    "sort --random-source=.env -R a",
    "sort --random-sou=.env a",
    "pgrep -F .env",
    "pgrep -lF.env",
    "last -f.env",
    "look x .env",
    "look -t, x .env",
    "look -- x .env",
    "jq --rawfile a .env . b",
    "jq -n --slurpfile a .env .",
    "jq -n -f .env",
    "jq -nf.env",
    "jq --from-file=.env",
    "awk -f .env x",
    "gawk -i .env 1 x",
    "sed -f .env x",
    "sed --file=.env x",
    "tar -tf .env",
    "tar tvf .env",
    "tar -cf a.tar -X.env b",
    "tar -cf a.tar -C . .env",
    "rg --ignore-file .env x",
    "tree --infofile .env",
    "strings @.env",
    // Programs of BSD take no option after the first operand, and some letters have a value there that they have not here.
    "head a -n .env",
    "grep --context x .env",
    "cut a -d .env",
    "sort a -k .env",
    "column -n .env",
    "stat -f .env a",
    "ls -T .env",
    "od -w .env",
  ])("reads it: %s", (line) => {
    expect(last(line).reads).toContain(".env");
  });

  it.each([
    "chmod -w .env",
    "chmod -R -x .env",
    "chmod --reference=a .env",
    "chmod --ref=a .env",
    "chown --reference=a .env",
    "mktemp -p .env",
    "cp --target-d=.env a",
    "mv -ft.env a",
    "install -Dt .env a",
    "tar -cf .env a",
    "tar cvf .env a",
    "sort -ro.env a",
    "shuf --outp=.env a",
    "xxd -r a .env",
    "xxd -l 3 -p a .env",
  ])("writes it: %s", (line) => {
    const command = last(line);
    expect(command.writes).toContain(".env");
    expect(command.risk).not.toBe("read");
  });
});

it.each([
  'grep "-f$(echo .env)" a',
  `grep -q"f$(echo .env)" a`,
  "grep -e $(echo a .env) b",
  "grep -A $(echo 1 x .env) b",
  "head -n $(echo 5 .env) a",
  'while read -r p; do grep "$p" a; done < list',
  'wc "--files0-from=$(echo .env)"',
  'wc "--files0-fr=$(echo .env)"',
  "cd - && ls",
  "cd - && grep -r key",
  "cd - && grep -d recurse key",
  "cd - && rg key",
  "cd - && find -name x",
  "cd - && du -a",
  "cd - && tree",
  "find -L . -name x",
  "find . -follow -name x",
  "du -aL .",
  "tree -l",
  "fd -L x",
  "grep -Sr key docs",
  "sha256sum -c list",
  "md5sum --check list",
  "cp --frobnicate a b",
])("what a line reads is not known after %s", (line) => {
  expect(last(line).unknownPaths).toBe(true);
});

describe("through the gate, with every reading program approved by name and reading approved by its risk", async () => {
  const root = folderWith("a", "b", "list", ".env");
  const readers = approve(says([...LONG_LIST, "look", "tar", "pgrep"]), { name: "readers" });
  const verdict = judgedBy(await createGate({ roots: [root], policies: [readers, approve(reading)] }));

  it.each([
    "look x .env",
    "grep -qf.env a",
    'grep --regexp="$(echo x)" .env',
    "wc --files0-from=.env",
    "wc --files0-from=list",
    "sort --files0-from=list",
    "file -f list",
    "du --files0-from=list",
    "tar -tf a.tar -T list",
    "tar tf host:a",
    "date -f .env",
    "pgrep -F .env",
    "head a -n .env",
    "strings @list",
    "xxd -pn a b",
    "tree -Lo 1 b",
    "printf %ln x",
    "sort --frobnicate a",
    "xargs --replace rm ls < a",
    "setarch -R rm ls",
  ])("is not allowed: %s", async (line) => {
    expect(await verdict(line)).not.toBe("allow");
  });

  it.each([
    "look x a",
    "grep -qf a b",
    "tar tf a",
    "xxd -p a",
    "printf '%5.1f|%-3s\\n' 1 a",
    "wc -l a",
    "ls",
  ])("is allowed: %s", async (line) => {
    expect(await verdict(line)).toBe("allow");
  });
});
