// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is shell text
/** A place where templates run for real: `show` prints its arguments, and any marker file means that a value was run. */

import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface TemplateWorld {
  readonly folder: string;
  /** The arguments of every call of `show`, in order. */
  run(command: string, args: readonly string[]): string[][];
  markers(): string[];
  close(): void;
}

const RECORD_END = "\u0001end\u0001";

export function createTemplateWorld(): TemplateWorld {
  const folder = mkdtempSync(join(tmpdir(), "toolgate-template-"));
  const bin = join(folder, "bin");
  spawnSync("mkdir", [bin]);
  const show = join(bin, "show");
  writeFileSync(show, `#!/bin/sh\nfor a in "$@"; do printf '%s\\0' "$a"; done\nprintf '${RECORD_END}\\0'\n`);
  chmodSync(show, 0o755);
  // What attackers' values try to start.
  writeFileSync(join(bin, "pwn"), `#!/bin/sh\n: > "${folder}/marker-$$"\n`);
  chmodSync(join(bin, "pwn"), 0o755);
  return {
    folder,
    run(command, args) {
      // A file that an earlier template wrote must not be what a later one runs.
      for (const name of readdirSync(folder))
        if (name !== "bin" && !name.startsWith("marker")) rmSync(join(folder, name), { recursive: true });
      const end = spawnSync(command, args, {
        cwd: folder,
        env: { PATH: `${bin}:/usr/bin:/bin` },
        encoding: "utf8",
        timeout: 5000,
      });
      const calls: string[][] = [[]];
      for (const part of end.stdout.split("\0").slice(0, -1)) {
        if (part === RECORD_END) calls.push([]);
        else calls.at(-1)!.push(part);
      }
      return calls.slice(0, -1);
    },
    markers: () => readdirSync(folder).filter((name) => name.startsWith("marker")),
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export const HOSTILE_VALUES = [
  "; pwn",
  "$(pwn)",
  "`pwn`",
  "| pwn",
  "&& pwn",
  "\npwn\n",
  "' ; pwn ; '",
  '" ; pwn ; "',
  "'; pwn #",
  '"; pwn #',
  '"$(pwn)"',
  "'$(pwn)'",
  "\\'; pwn; \\'",
  "\\",
  "'",
  '"',
  "${IFS}pwn",
  "${1}",
  '"${1}"',
  "$@",
  "{{x}}",
  "a b  c",
  "*",
  "~",
  "",
  "\t",
  "!!",
  "x\ny",
  "value0x",
  "ünï€😀",
  "%s%n",
  "=pwn",
  "a[$(pwn)]",
  ">marker-redirect",
  "<(pwn)",
  "&",
  "#",
];
