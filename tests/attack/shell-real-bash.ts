/** Runs lines in a real bash inside a sandbox and writes down which commands ran and which files were written. */

// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the text is for a shell
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { STUBS } from "./shell-line-generator.ts";

/** Where the lines run, for the judge to know. */
export const PLACE = { cwd: "/tmp/t/w", home: "/tmp/t/home" } as const;

export interface Observed {
  /** The words of each stub that ran. */
  readonly stubs: readonly (readonly string[])[];
  /** First words that the shell itself reported before running them. */
  readonly names: readonly string[];
  /** Files that were not there before. */
  readonly files: readonly string[];
}

export function realBashProblem(): string | undefined {
  if (!existsSync("/usr/bin/bwrap") && !existsSync("/bin/bwrap")) return "bubblewrap is not installed";
  if (!existsSync("/bin/bash")) return "bash is not installed";
  const works = spawnSync("bwrap", ["--ro-bind", "/", "/", "--unshare-all", "true"], { timeout: 10_000 });
  return works.status === 0 ? undefined : "bubblewrap cannot make a sandbox here";
}

export const REAL =
  "bash sh env xargs timeout nohup nice setsid stdbuf find sed sort awk uniq tee cat head touch busybox".split(
    " ",
  );

/** One sandbox for many lines: each gets a fresh directory and a bash of its own. */
export function runLines(lines: readonly string[]): readonly Observed[] {
  const folder = mkdtempSync(join(tmpdir(), "toolgate-shell-"));
  try {
    mkdirSync(join(folder, "bin"));
    mkdirSync(join(folder, "lines"));
    mkdirSync(join(folder, "log"));
    for (const stub of STUBS) {
      const path = join(folder, "bin", stub);
      writeFileSync(
        path,
        `#!/bin/sh\nrecord="\${0##*/}\x1f"\nfor word; do record="$record$word\x1f"; done\nprintf "%s\\036" "$record" >>/tmp/t/log/stubs\n`,
      );
      chmodSync(path, 0o755);
    }
    for (const [i, line] of lines.entries()) writeFileSync(join(folder, "lines", String(i)), line);
    writeFileSync(join(folder, "driver"), driver(lines.length));
    const done = spawnSync("bwrap", [...sandboxArguments(folder), "/bin/bash", "/tmp/t/driver"], {
      stdio: ["ignore", "ignore", "pipe"],
      timeout: 280_000,
      killSignal: "SIGKILL",
    });
    if (done.status !== 0)
      throw new Error(`the sandbox failed: ${done.status} ${done.signal} ${done.stderr}`);
    return lines.map((_, i) => observed(folder, i));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Nothing of this machine can be written, and nothing reached. */
export function sandboxArguments(folder: string): readonly string[] {
  return [
    ..."--ro-bind / / --dev /dev --proc /proc".split(" "),
    ...["/tmp", "/root", "/home", "/var", "/run"].flatMap((place) => ["--tmpfs", place]),
    ..."--unshare-all --die-with-parent --new-session --bind".split(" "),
    folder,
    ..."/tmp/t --chdir /tmp/t --clearenv --setenv HOME /tmp/t/home --setenv PATH /usr/bin:/bin".split(" "),
  ];
}

function driver(count: number): string {
  return [
    `for name in ${REAL.join(" ")}; do real=$(type -P "$name") && ln -s "$real" "/tmp/t/bin/$name"; done`,
    "mkdir -p /tmp/t/home",
    `for ((n=0; n<${count}; n++)); do`,
    "  d=/tmp/t/w; mkdir -p $d/sub; cd $d; : > a.txt; : > b.ts; : > sub/x; : > ./-x",
    '  line=$(cat "/tmp/t/lines/$n"; printf x); line=${line%x}; : > /tmp/t/log/stubs',
    '  ( ulimit -t 2 -f 2000 -n 100; exec env -i HOME=/tmp/t/home PATH=/tmp/t/bin BASH_XTRACEFD=9 timeout -s KILL 3 bash -x -c "$line" </dev/null >/dev/null 2>&1 9>/tmp/t/log/$n.trace )',
    "  case $line in *'&'*|*'>('*|*'<('*|*coproc*|*nohup*|*setsid*) sleep 0.03;; esac",
    "  mv /tmp/t/log/stubs /tmp/t/log/$n.stubs; : > /tmp/t/log/stubs; cd /; find $d /tmp/t/home -type f -printf '%P\\0' > /tmp/t/log/$n.files; rm -rf $d /tmp/t/home/*",
    "done",
    "exit 0",
    "",
  ].join("\n");
}

function observed(folder: string, index: number): Observed {
  const read = (name: string) => {
    const path = join(folder, "log", `${index}.${name}`);
    return existsSync(path) ? readFileSync(path, "utf8") : "";
  };
  const before = new Set(["a.txt", "b.ts", "sub/x", "-x", ""]);
  return {
    stubs: read("stubs")
      .split("\x1e")
      .filter((record) => record !== "")
      .map((record) => record.split("\x1f").slice(0, -1)),
    names: [...read("trace").matchAll(/^\++ ((?:\\.|'[^']*'|\$'(?:[^'\\]|\\.)*'|[^\s'\\])+)/gm)]
      .map((match) => unquote(match[1] ?? ""))
      .filter(isCommandName),
    files: read("files")
      .split("\0")
      .filter((file) => !before.has(file)),
  };
}

function unquote(text: string): string {
  return text.replace(
    /\$'((?:[^'\\]|\\.)*)'|'([^']*)'|\\(.)/gs,
    (_, escaped, quoted, char) => escaped ?? quoted ?? char,
  );
}

/** The trace also reports keywords and assignments. */
function isCommandName(name: string): boolean {
  return !/^(?:for|case|select|\[\[|\(\(|[A-Za-z_]\w*(?:\[.*)?\+?=.*|[A-Za-z_]\w*\[.*)$/s.test(name);
}
