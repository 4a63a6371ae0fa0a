/** Programs that run the command in their arguments. */

import { eachWord } from "../../core/text/words.ts";
import { type Arg, isLiteral, LITERAL, literalArg, MANY, unknownArg } from "../arg.ts";
import type { CommandUse } from "../command-use.ts";
import type { Wrapper } from "../judge-parts.ts";
import { lazySpec, type OptionSpec } from "../option-spec.ts";
import { EXECUTE } from "../walk.ts";
import { exportedNameProblem, isDangerousName } from "../words/variables.ts";
import { readShell } from "./nested-shell.ts";
import { SIMPLE_WRAPPERS } from "./simple-wrappers.ts";
import { FLOCK, readEval, readFlock, readSu, readTrap, readWatch, WATCH } from "./text-wrappers.ts";
import { judgeInner, programName, simple, skipOptions, unwrapByGuess, withUnknown } from "./unwrap.ts";

function readEnv(use: CommandUse): void {
  const { args } = use;
  let i = 1;
  for (; i < args.length; i++) {
    const arg = args[i] as Arg;
    const text = arg.text;
    if (/^[^-=][^=]*=/.test(arg.prefix)) {
      const name = text.slice(0, text.indexOf("="));
      if (isDangerousName(name) || !/^[A-Za-z_]\w*$/.test(name))
        use.cannotTell(`it sets ${name}, which changes what other programs do`);
      else if (exportedNameProblem(name) !== undefined)
        use.goesBeyond(`sets ${name} for the program`, EXECUTE);
      if (arg.kind === MANY) use.cannotTell("the words of env are only known when it runs; write them out");
      continue;
    }
    if (arg.kind !== LITERAL) {
      unwrapByGuess(use, "env");
      return;
    }
    if (text === "-u" || text === "--unset") i++;
    else if (/^(?:-|-i|-0|--ignore-environment|--null|--unset=.*)$/s.test(text)) continue;
    else if (text.startsWith("-")) {
      unwrapByGuess(use, "env");
      return;
    } else break;
  }
  if (i >= args.length) use.finish();
  else judgeInner(use, "env", i);
}

const XARGS: OptionSpec = {
  flags: "0rtxo",
  values: "nPLIds",
  refuses: "apeEilJRS",
  // `--replace` and `--max-lines` take a value only after `=`: `xargs --replace rm ls` runs rm.
  long:
    "null no-run-if-empty max-args= max-procs= max-lines? max-chars= replace? delimiter= verbose exit open-tty arg-file=@ eof?! interactive! " +
    "process-slot-var=! show-limits! help version",
};

const XARGS_SPEC = lazySpec(XARGS);

function readXargs(use: CommandUse): void {
  const at = skipOptions(use, XARGS_SPEC());
  if (at < 0) {
    unwrapByGuess(use, "xargs");
    return;
  }
  const more = unknownArg("...", MANY);
  const marker = replacedMarker(use, at);
  if (at >= use.args.length) {
    judgeInner(use, "xargs", 0, { words: [literalArg("echo"), more] });
    return;
  }
  const words = use.args
    .slice(at)
    .map((arg) => (marker !== undefined && arg.text.includes(marker) ? withUnknown(arg, marker) : arg));
  if (marker === undefined) judgeInner(use, "xargs", at, { words, extra: more });
  else judgeInner(use, "xargs", at, { words });
}

function replacedMarker(use: CommandUse, end: number): string | undefined {
  for (let i = 1; i < end; i++) {
    const text = use.args[i]?.text ?? "";
    const long = /^--replace(?:=(.*))?$/.exec(text);
    if (long !== null) return long[1] || "{}";
    const short = /^-[0rtxo]*I(.*)$/.exec(text);
    if (short !== null) return short[1] || (use.args[i + 1]?.text ?? "{}");
  }
  return undefined;
}

function readCommandBuiltin(use: CommandUse): void {
  let i = 1;
  while (use.args[i]?.text === "-p") i++;
  const first = use.args[i];
  if (first !== undefined && isLiteral(first) && /^-[vV]+$/.test(first.text)) {
    use.finish();
    return;
  }
  if (first?.text === "--") i++;
  else if (first === undefined || first.text.startsWith("-")) {
    unwrapByGuess(use, "command");
    return;
  }
  judgeInner(use, "command", i);
}

function readExec(use: CommandUse): void {
  if (use.args.length === 1) {
    use.finish();
    return;
  }
  simple({ flags: "cl", values: "a" })(use);
}

/** Runs commands in ways that are not read here: elsewhere, later, from its input, or under a tracer. */
function opaqueRunner(use: CommandUse): void {
  use.network = NETWORK_RUNNERS.has(programName(use));
  use.unknownPaths = true;
  use.cannotTell(`${programName(use)} runs other commands, which are not read in advance`);
  use.finish();
}

function readBusybox(use: CommandUse): void {
  const applet = use.args[1];
  if (!isLiteral(applet) || applet.text.startsWith("-")) unwrapByGuess(use, programName(use));
  else judgeInner(use, programName(use), 1, { risk: EXECUTE });
}

const NETWORK_RUNNERS = new Set(["ssh", "mosh", "rsh"]);

const OPAQUE_RUNNERS =
  "ssh mosh rsh parallel script expect entr strace ltrace gdb lldb valgrind perf chroot unshare nsenter systemd-run bwrap firejail at batch crontab " +
  "tmux screen unbuffer rlwrap socat dbus-run-session start-stop-daemon daemonize fakeroot proot run-parts capsh setpriv newgrp sg runcon " +
  "cpulimit numactl prlimit torsocks chronic xvfb-run ld.so ld-linux.so ld-linux-x86-64.so.2 qemu-x86_64";

export const WRAPPERS: ReadonlyMap<string, Wrapper> = new Map<string, Wrapper>([
  ["env", readEnv],
  ["xargs", readXargs],
  ["command", readCommandBuiltin],
  ["exec", readExec],
  ["eval", readEval],
  ["trap", readTrap],
  ["watch", readWatch],
  ["flock", readFlock],
  ...eachWord("su runuser", readSu),
  ...eachWord("busybox toybox", readBusybox),
  ...Object.entries(SIMPLE_WRAPPERS).map(([name, spec]): [string, Wrapper] => [name, simple(spec)]),
  ...eachWord("bash sh dash zsh ksh mksh ash rbash fish csh tcsh", readShell),
  ...eachWord(OPAQUE_RUNNERS, opaqueRunner),
]);

/** The option lists by program, to be compared with the programs' own help. */
export const WRAPPER_OPTION_LISTS: ReadonlyMap<string, OptionSpec> = new Map([
  ...Object.entries(SIMPLE_WRAPPERS),
  ["xargs", XARGS],
  ["watch", WATCH],
  ["flock", FLOCK],
]);
