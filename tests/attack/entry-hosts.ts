/** Programs that read Claude Code's settings, as they were seen or could be written: each makes something else of the same entry. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { readHookLine } from "../../src/agents/set-up/hook-line.ts";

export interface Entry {
  readonly command: string;
  readonly args?: readonly string[];
  readonly timeout?: number;
}

export interface HostOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Left open: whoever reads it waits. */
  readonly keepOpen?: boolean;
}

export interface HostEnd {
  /** Undefined: nothing was started. */
  readonly code: number | null | undefined;
  readonly err: string;
}

export interface Host {
  readonly name: string;
  /** A real shell reads the line: the entry must be a gate there. */
  readonly isShell: boolean;
  start(entry: Entry): readonly string[];
}

/** Each once: `sh` is one of the others under another name. */
const shells = ["/bin/sh", "/bin/dash", "/bin/bash", "/usr/bin/zsh"]
  .filter(existsSync)
  .filter((shell, index, all) => all.findIndex((one) => realpathSync(one) === realpathSync(shell)) === index);

export const hosts: readonly Host[] = [
  ...shells.map((shell) => ({
    name: `${shell} -c, without args`,
    isShell: true,
    start: ({ command }: Entry) => [shell, "-c", command],
  })),
  {
    name: "bash in POSIX mode",
    isShell: true,
    start: ({ command }) => ["/bin/bash", "--posix", "-c", command],
  },
  { name: "a login shell", isShell: true, start: ({ command }) => ["/bin/bash", "-lc", command] },
  { name: "cuts at blanks, knows no quotes", isShell: false, start: ({ command }) => command.split(/\s+/) },
  { name: "cuts at single blanks", isShell: false, start: ({ command }) => command.split(" ") },
  { name: "reads quotes, has no shell", isShell: false, start: ({ command }) => readHookLine(command) ?? [] },
  {
    name: "takes the first word alone",
    isShell: false,
    start: ({ command }) => command.split(" ").slice(0, 1),
  },
  { name: "takes the line for a program's name", isShell: false, start: ({ command }) => [command] },
  {
    name: "takes away quotes and backslashes, then cuts",
    isShell: false,
    start: ({ command }) => command.replace(/['"\\]/g, "").split(" "),
  },
];

/** No host here ever ends what it started: `timeout` is ignored by all of them. */
export function runAs(host: Host, entry: Entry, payload: string, options: HostOptions): Promise<HostEnd> {
  const [program = "", ...args] = host.start(entry);
  const child: ChildProcess = spawn(program, args, { cwd: options.cwd, env: options.env, stdio: "pipe" });
  child.stdin?.on("error", () => {});
  if (options.keepOpen === true) child.stdin?.write(payload);
  else child.stdin?.end(payload);
  let err = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    err += text;
  });
  child.stdout?.resume();
  return new Promise((resolve) => {
    child.on("error", () => resolve({ code: undefined, err }));
    child.on("close", (code) => resolve({ code, err }));
  });
}
