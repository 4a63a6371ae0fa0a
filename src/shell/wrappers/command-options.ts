/**
 * Programs with an option or a word that names a command which they run: `rsync -e`, `tar --to-command`, `make SHELL=`.
 * Only rules that stop a command look at it (`given-commands.ts`). What is not listed here, and goes beyond the
 * program's plain use, still makes such rules doubt (`texts-that-run.ts`).
 */

import type { Runner } from "./runners.ts";

const option = (texts: string, inWords?: RegExp): Runner => ({
  words: "",
  texts,
  takesNoCommand: true,
  ...(inWords && { inWords }),
});

const inWords = (pattern: RegExp): Runner => option("", pattern);

/** `-o ProxyCommand=x`, `-oProxyCommand=x`, `-o 'ProxyCommand x'` */
const ofSsh = /^(?:-o)?\s*(?:Proxy|Local|KnownHosts|Remote|AuthorizedKeys)Command[\s=]+(.*)$/is;

const aShell = /^(?:\/(?:usr\/)?bin\/)?(?:ba|da|z|k)?sh$/;

export const COMMAND_OPTIONS: Readonly<Record<string, readonly Runner[]>> = {
  rsync: [
    { ...option("-e --rsh --rsync-path"), usual: /^(?:ssh|rsh|rsync|sudo rsync)(?:\s|$)(?!.*command)/is },
  ],
  "scp sftp": [option("-S -D", ofSsh)],
  sort: [option("--compress-program")],
  "tar gtar bsdtar": [
    option(
      "-I -F --to-command --use-compress-program --info-script --new-volume-script --rsh-command --rmt-command --set-mtime-command",
      /^(?:--checkpoint-action=)?exec=(.*)$/s,
    ),
  ],
  "cpio borg": [option("--rsh-command --rsh")],
  zip: [option("-TT --unzip-command")],
  split: [option("--filter")],
  rg: [option("--pre --hostname-bin")],
  "bat batcat delta": [option("--pager")],
  fzf: [
    option("--preview", /(?:execute|execute-silent|become|reload|reload-sync|transform[\w-]*)[^\w\s](.*)$/s),
  ],
  "nc ncat netcat": [option("-e -c --exec --sh-exec --lua-exec")],
  lftp: [option("-c -e")],
  wget: [option("--use-askpass")],
  tcpdump: [option("-z")],
  "make gmake bmake": [
    { ...option("--eval -E", /^(?:SHELL|MAKE)[:+?]{0,3}=(.*)$/s), usual: aShell },
    inWords(/\$\(shell\s+(.*)$/s),
  ],
  just: [{ words: "", texts: "--shell", rest: "--command -c", takesNoCommand: true, usual: aShell }],
  cmake: [{ words: "", rest: "-E", takesNoCommand: true }],
  go: [{ ...option("-exec -toolexec -vettool"), usual: /^sudo(?: -[EnH]+)*$/ }],
  cargo: [inWords(/(?:rustc|rustdoc|wrapper|runner|linker)["']?\s*=\s*[["']*([^"'\]]*)/s)],
  "npm pnpm yarn": [{ ...option("--script-shell script-shell", /^script-shell=(.*)$/s), usual: aShell }],
  git: [
    inWords(
      /^(?:ext::|(?:-c)?(?:core\.(?:sshcommand|pager|editor|askpass|fsmonitor|gitproxy)|sequence\.editor|diff\.external|gpg\.program|credential\.helper|alias\.[\w-]+|[\w.-]+\.(?:textconv|command|driver|clean|smudge|process|cmd|program|helper))=)!?(.*)$/is,
    ),
  ],
  hg: [inWords(/^(?:--config=)?[\w.-]+=\s*!?(.*)$/s)],
  svn: [inWords(/^(?:--config-option=)?config:tunnels:\w+=(.*)$/s)],
  gh: [{ words: "alias set", lines: true }],
  "ansible ansible-console": [option("-a --args")],
  java: [inWords(/^-XX:On(?:OutOfMemory)?Error=(.*)$/s)],
  sqlite3: [inWords(/^\s*\.(?:shell|system)\s+(.*)$/s)],
  "ed red": [inWords(/^!(.*)$/s)],
  certbot: [option("--pre-hook --post-hook --deploy-hook --manual-auth-hook --manual-cleanup-hook")],
  aria2c: [
    option("--on-download-complete --on-download-start --on-download-error --on-bt-download-complete"),
  ],
};
