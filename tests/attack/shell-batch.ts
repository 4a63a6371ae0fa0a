/** Runs many lines in one real bash or zsh inside a sandbox, each in a child of its own, and writes down which stubs ran and which files appeared. */

// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the text is for a shell
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { STUBS } from "./shell-line-generator.ts";
import { type Observed, REAL, realBashProblem, sandboxArguments } from "./shell-real-bash.ts";

export type BatchShell = "bash" | "zsh";

export function batchProblem(shell: BatchShell): string | undefined {
  const problem = realBashProblem();
  if (problem !== undefined || shell === "bash") return problem;
  return existsSync("/bin/zsh") || existsSync("/usr/bin/zsh") ? undefined : "zsh is not installed";
}

/** Undefined for a line that does not end by itself: it waits for something, or ends the shell around it. */
export async function runBatch(
  shell: BatchShell,
  lines: readonly string[],
): Promise<readonly (Observed | undefined)[]> {
  try {
    return await runOnce(shell, lines);
  } catch (error) {
    if (!(error instanceof BrokenBatch)) throw error;
    if (lines.length === 1) return [undefined];
    const half = Math.ceil(lines.length / 2);
    return [...(await runBatch(shell, lines.slice(0, half))), ...(await runBatch(shell, lines.slice(half)))];
  }
}

class BrokenBatch extends Error {}

async function runOnce(shell: BatchShell, lines: readonly string[]): Promise<readonly Observed[]> {
  const folder = await mkdtemp(join(tmpdir(), "toolgate-batch-"));
  try {
    await mkdir(join(folder, "bin"));
    for (const stub of [...STUBS, "missing"]) {
      const path = join(folder, "bin", stub);
      await writeFile(path, `#!/bin/sh\n${RECORD}\nrecord "\${0##*/}" "$@"\n`);
      await chmod(path, 0o755);
    }
    await writeFile(join(folder, "lines"), lines.map((line) => `${line}\0`).join(""));
    await writeFile(join(folder, "driver"), driver(shell));
    await writeFile(join(folder, "log"), "");
    await runSandbox(shell, folder, 60_000 + 50 * lines.length);
    return toObserved(await readFile(join(folder, "log"), "utf8"), lines.length);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function runSandbox(shell: BatchShell, folder: string, timeout: number): Promise<void> {
  const program = shell === "bash" ? ["/bin/bash"] : ["/usr/bin/env", "zsh", "-f"];
  const child = spawn("bwrap", [...sandboxArguments(folder), ...program, "/tmp/t/driver"], {
    stdio: ["ignore", "ignore", "pipe"],
    timeout,
    killSignal: "SIGKILL",
  });
  let errors = "";
  child.stderr.on("data", (chunk) => {
    errors += String(chunk).slice(0, 1_000);
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (status, signal) => {
      if (status === 0) resolve();
      else reject(new BrokenBatch(`the sandbox of ${shell} failed: ${status ?? signal} ${errors}`));
    });
  });
}

/** For stubs that a line starts with another environment, `current` says which line it is. One record: the number of the line, what happened, and its words. Appended, because a line may close any descriptor. */
const RECORD = `record() { IFS=$(printf '\\037'); printf '%s\\037s\\037%s\\036' "\${TG_LINE:-$(cat /tmp/t/current)}" "$*" >>/tmp/t/log; }`;

const BEFORE =
  "mkdir -p /tmp/t/w/sub '/tmp/t/w/a[$(t1)]' /tmp/t/home; cd /tmp/t/w; : > b.ts; : > sub/x; : > ./-x; echo 1 > a.txt";

function driver(shell: BatchShell): string {
  const stubs = STUBS.filter((stub) => /^t\d$/.test(stub));
  const record = `IFS=$'\\037'; printf '%s\\037s\\037%s\\036' "$TG_LINE" "$*" >>/tmp/t/log`;
  const look = {
    bash: "shopt -s nullglob dotglob; TG_NOW=(* sub/* 'a[$(t1)]'/* /tmp/t/home/*); shopt -u nullglob dotglob",
    zsh: "TG_NOW=(*(ND) sub/*(ND) 'a[$(t1)]'/*(ND) /tmp/t/home/*(ND))",
  }[shell];
  return [
    `for name in ${REAL.join(" ")} wc true; do real=$(PATH=/usr/bin:/bin command -v "$name"); [ -x "/usr/bin/$name" ] && real=/usr/bin/$name; ln -s "$real" "/tmp/t/bin/$name"; done 2>/dev/null`,
    BEFORE,
    // In functions of their own, and without a process each: what most lines run.
    ...stubs.map((stub) => `${stub}() { local IFS; set -- ${stub} "$@"; ${record}; }`),
    `command_not_found_handle() { local IFS; ${record}; }; command_not_found_handler() { local IFS; ${record}; }`,
    // What it prints is not looked at.
    "cat() { :; }",
    // A line that ends its process group would end the shell around it.
    "kill() { :; }; trap '' TERM HUP INT",
    "export TG_LINE=0 HOME=/tmp/t/home PATH=/tmp/t/bin evil='a[$(t1)]' EVIL='a[$(t1)]'",
    `${look}; TG_BEFORE="\${TG_NOW[*]}"`,
    "while IFS= read -r -d '' -u 8 TG_TEXT; do",
    '  printf %s "$TG_LINE" >/tmp/t/current',
    '  ( exec 8<&-; ulimit -t 1 -f 2000; eval "$TG_TEXT" ) </dev/null >/dev/null 2>&1',
    // What it leaves in the background writes its files first.
    "  case $TG_TEXT in *[!\\&]\\&[!\\&]*|*[!\\&]\\&|*'>'*'>'*|*'>('*|*'<('*|*nohup*|*setsid*|*coproc*) PATH=/usr/bin:/bin sleep 0.05;; esac",
    `  ${look}`,
    '  if [[ "${TG_NOW[*]}" != "$TG_BEFORE" ]]; then',
    "    printf '%s\\037f' \"$TG_LINE\" >>/tmp/t/log; printf '\\037%s' \"${TG_NOW[@]}\" >>/tmp/t/log; printf '\\036' >>/tmp/t/log",
    `    cd /; PATH=/usr/bin:/bin rm -rf /tmp/t/w /tmp/t/home; PATH=/usr/bin:/bin; ${BEFORE}; PATH=/tmp/t/bin`,
    "  fi",
    "  TG_LINE=$((TG_LINE + 1))",
    "done 8</tmp/t/lines",
    // What lines left in the background ends first.
    "PATH=/usr/bin:/bin sleep 0.3",
    "printf '%s\\037e\\036' \"$TG_LINE\" >>/tmp/t/log",
    "exit 0",
    "",
  ].join("\n");
}

const NOT_NEW = new Set(["a.txt", "b.ts", "sub", "sub/x", "-x", "a[$(t1)]"]);

function toObserved(log: string, count: number): readonly Observed[] {
  const all = Array.from({ length: count }, () => ({
    stubs: [] as string[][],
    names: [],
    files: [] as string[],
  }));
  let ended = false;
  for (const record of log.split("\x1e")) {
    const [line, kind, ...words] = record.split("\x1f");
    const one = all[Number(line)];
    if (kind === "e") ended = Number(line) === count;
    else if (kind === "s") one?.stubs.push(words);
    else if (kind === "f")
      one?.files.push(
        ...words.map((path) => path.replace("/tmp/t/home/", "")).filter((path) => !NOT_NEW.has(path)),
      );
  }
  // A line that ends the shell around it would hide all that follow.
  if (!ended) throw new BrokenBatch("the shell ended before its last line");
  return all;
}
