/** Assignments: which names change what later programs do, and what a variable holds afterwards. */

import { wordSet } from "../../core/text/words.ts";
import {
  ANYTHING,
  isNumberText,
  isSettled,
  markOpaque,
  NUMBER,
  settle,
  type Value,
  type Walk,
} from "../walk.ts";
import { isZshNumber, isZshSpecial } from "./zsh.ts";

/** Notes that `name` now holds `value`; `text` is what to show when that is refused. */
export function assign(walk: Walk, name: string, value: Value, text: string): void {
  assignMaybe(walk, name, value, text);
  if (walk.certain && typeof value === "string" && PLAIN_NAME.test(name)) walk.values?.set(name, value);
  settle(walk, name);
}

/** An assignment that may not happen, or not for what comes next: `${x:=1}`, `X=1 cmd`. */
export function assignMaybe(walk: Walk, name: string, value: Value, text: string): void {
  if (!PLAIN_NAME.test(name)) {
    markOpaque(walk, "it sets more than a plain variable", text);
    return;
  }
  if (isDangerousName(name)) markOpaque(walk, `it sets ${name}, which changes what other programs do`, text);
  if (walk.zsh && isZshSpecial(name)) markOpaque(walk, `it sets ${name}, which means more to zsh`, text);
  const number = value === NUMBER || (typeof value === "string" && isNumberText(value));
  if (walk.zsh && !number && isZshNumber(name))
    markOpaque(walk, `zsh evaluates what ${name} is set to`, text);
  if (!number) {
    walk.tainted ??= new Set();
    walk.tainted.add(name);
  }
  walk.values ??= new Map();
  if (walk.values.has(name)) {
    walk.reassigned ??= new Set();
    walk.reassigned.add(name);
  }
  const before = walk.values.get(name);
  const wasNumber =
    before === undefined || before === NUMBER || (typeof before === "string" && isNumberText(before));
  walk.values.set(name, number && wasNumber ? NUMBER : ANYTHING);
}

const PLAIN_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Holds a number whenever what is read now runs; other names may hold anybody's text. */
export function isKnownNumber(walk: Walk, name: string): boolean {
  if (OWN_NUMBERS.has(name)) return true;
  const value = walk.values?.get(name);
  if (value === undefined || value === ANYTHING || !isSettled(walk, name)) return false;
  return value === NUMBER || isNumberText(value);
}

/** Variables that the shell itself keeps as numbers; setting them is refused. */
const OWN_NUMBERS = new Set(["RANDOM", "SECONDS", "LINENO", "UID", "EUID", "PPID"]);

/** A variable for a program (`X=1 cmd`, `export X=1`): only harmless names stay unmentioned. */
export function exportedNameProblem(name: string): string | undefined {
  if (HARMLESS_EXPORTS.has(name) || name.startsWith("LC_")) return undefined;
  return `sets ${name} for the program`;
}

export function isDangerousName(name: string): boolean {
  return !PLAIN_SWITCHES.has(name) && (DANGEROUS_NAMES.has(name) || DANGEROUS_SHAPE.test(name));
}

const HARMLESS_EXPORTS = wordSet(
  "LANG LANGUAGE TZ NO_COLOR FORCE_COLOR CLICOLOR CLICOLOR_FORCE CI COLUMNS LINES TERM",
);

/** Of the families below, those that name a mode, a target or how much is said: no file or program. */
const PLAIN_SWITCHES = wordSet(
  "NODE_ENV NODE_NO_WARNINGS NODE_DISABLE_COLORS PYTHONUNBUFFERED PYTHONDONTWRITEBYTECODE PYTHONHASHSEED PYTHONUTF8 " +
    "RUST_BACKTRACE RUST_LOG CARGO_TERM_COLOR CARGO_INCREMENTAL GOOS GOARCH GOARM GOAMD64 GOMAXPROCS CGO_ENABLED DOCKER_BUILDKIT " +
    "GIT_TERMINAL_PROMPT",
);

// Loaders, start-up files, search paths, helper programs and option variables of interpreters and tools: with
// one of these a harmless command runs or reads something else.
const DANGEROUS_SHAPE = new RegExp(
  `^(?:${[
    "LD_|DYLD_|BASH|GIT_|SSH_|SUDO_|LESS|GREP_|RIPGREP_|FZF_|BAT_|JQ_|NODE_|NPM_|npm_|YARN_|PNPM_|BUN_|DENO_|PYTHON|PIP_|UV_|PERL|RUBY|GEM_|BUNDLE_|LUA_",
    "JAVA|JDK_|_JAVA|MAVEN_|GRADLE_|GO[A-Z]|CGO_|RUST|CARGO|MAKE|CMAKE|CC$|CXX$|CPP$|C?FLAGS|LDFLAGS|XDG_|HIST|PS[0-9]|COMP_|READLINE_|GCONV_|GLIBC_|MALLOC_",
    "DOCKER_|KUBE|AWS_|AZURE_|GOOGLE_|GCP_|GH_|GITHUB_|HTTP|FTP_|ALL_PROXY|NO_PROXY|CURL_|WGET|OPENSSL|SSL_|TAR_|GZIP|BZIP|XZ_|ZSTD|ZIP|UNZIP|AWK|POSIX",
    "TERMINFO|TERMCAP|MAN|DIFF_|VIM|EX_|EMACS|TMUX|ZDOT|ENV$|MAIL|DBUS_|DISPLAY|QT_|GTK_|GIO_|SYSTEMD_|TOOLGATE",
  ].join(
    "|",
  )})|(?:PATH|PAGER|EDITOR|BROWSER|OPTIONS|OPTS|_PROXY|_proxy|PRELOAD|_HOME|_COMMAND|_PROGRAM|_SHELL|FUNCNEST)$`,
);

const DANGEROUS_NAMES = wordSet(
  "IFS HOME PWD OLDPWD SHELL SHELLOPTS VISUAL TMPDIR TMP TEMP GLOBIGNORE EXECIGNORE FIGNORE INPUTRC OPTIND OPTARG OPTERR PROMPT_DIRTRIM " +
    "TIMEFORMAT DIRSTACK FUNCNAME GROUPS UID EUID PPID RANDOM SRANDOM SECONDS LINENO EPOCHSECONDS PIPESTATUS REPLY MAPFILE COPROC USER LOGNAME " +
    "HOSTALIASES RES_OPTIONS LOCALDOMAIN NLSPATH TZDIR MODULE_PATH histchars auto_resume http_proxy prompt fpath path cdpath precmd _ CHILD_MAX TMOUT",
);
