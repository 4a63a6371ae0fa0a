/** What zsh reads differently from bash: a line that may be for zsh must mean the same in both. */

import type { Word, WordPart } from "unbash";
import { wordSet } from "../../core/text/words.ts";
import { isLiteral } from "../arg.ts";
import type { CommandUse } from "../command-use.ts";
import { markOpaque, type Walk } from "../walk.ts";

/** Looks at the text before it is parsed: here the parser sees something else than zsh. */
export function checkZshText(walk: Walk, text: string): void {
  if (/<\d*-\d*>/.test(text))
    markOpaque(walk, "zsh takes <1-9> for a pattern of file names; put it into quotes", text);
  // An interactive zsh, which some agents start, has no comments: their text is words and commands.
  for (const [comment] of text.matchAll(/(?:^|[\s;&|()])#[^\n]*/g)) {
    if (!/^[\s;&|()]?#+[\w\s.,:/@%+-]*$/.test(comment)) {
      markOpaque(walk, "an interactive zsh takes the comment for words; leave it out", comment.trim());
      return;
    }
  }
}

/** False when zsh may make other text of the word; what it runs differently is marked. */
export function meansTheSameInZsh(walk: Walk, word: Word): boolean {
  const { text, parts } = word;
  if (!UNUSUAL.test(text)) return true;
  if (parts === undefined) return checkLiteral(walk, text, true);
  return checkParts(walk, parts, false);
}

/** Also for here-documents, which are no words. */
export function checkQuotedForZsh(walk: Walk, parts: readonly WordPart[]): void {
  checkParts(walk, parts, true);
}

/** `x==ls` and `x=a:=ls` hold where a program is. */
export function checkZshValue(walk: Walk, word: Word): void {
  if (/^=|:=/.test(word.text))
    markOpaque(walk, "zsh looks for a program behind the =; put the word into quotes", word.text);
}

export function checkZshCommand(use: CommandUse): void {
  const [program, ...words] = use.args;
  const name = program?.text ?? "";
  if (ZSH_ONLY.has(name)) use.cannotTell(`${name} means something else in zsh`);
  // `cd +1` and `cd old new` go elsewhere; `read -p` has no prompt, and `read -t` evaluates.
  const options = words.filter((word) => !isLiteral(word) || /^[-+]./.test(word.text));
  if (/^(?:cd|pushd|popd)$/.test(name) && (words.length > 1 || options.length > 0))
    use.cannotTell(`${name} with options or several words means something else in zsh`);
  if (name === "read" && !options.every((word) => /^-[rs]+$/.test(word.text)))
    use.cannotTell("the options of read mean something else in zsh");
}

export function isZshSpecial(name: string): boolean {
  return ZSH_VARIABLES.has(name) || /^(?:ZSH|ZLE|ZDOT|RPS|RPROMPT|PROMPT|dis_)/.test(name);
}

/** Kept as numbers by zsh, which evaluates any text for them: `COLUMNS='path[$(cmd)]' ls`. */
export function isZshNumber(name: string): boolean {
  return name === "COLUMNS" || name === "LINES";
}

function checkParts(walk: Walk, parts: readonly WordPart[], quoted: boolean): boolean {
  let same = true;
  for (const [i, part] of parts.entries()) {
    const next = parts[i + 1];
    if (part.type === "SimpleExpansion" && next !== undefined) {
      if (next.text.startsWith("["))
        markOpaque(
          walk,
          "zsh evaluates the [...] behind a variable; put the variable into braces",
          part.text + next.text,
        );
      if (/^:[a-zA-Z&]/.test(next.text)) same = false;
    }
    if (part.type === "Literal") {
      if (quoted) {
        if (/(?<!\\)\$./s.test(part.text))
          markOpaque(walk, "the $ means something else in zsh; put it into single quotes", part.text);
      } else if (!checkLiteral(walk, part.text, i === 0)) same = false;
    } else if (part.type === "DoubleQuoted" && !checkParts(walk, part.parts, true)) same = false;
    else if (part.type === "Glob" && part.text === "**") same = false;
  }
  return same;
}

/** Text without quotes around it. */
function checkLiteral(walk: Walk, text: string, first: boolean): boolean {
  const bare = text.replace(/\\[\s\S]/g, "_");
  if (bare === "{" || bare === "}")
    markOpaque(walk, "zsh takes a brace for a part of its language; put it into quotes", text);
  if (first && /^=[^=]/.test(bare))
    markOpaque(walk, "zsh takes =name for the path of a program; put it into quotes", text);
  if (/\$./s.test(bare))
    markOpaque(walk, "the $ means something else in zsh; put it into single quotes", text);
  // With extended patterns these find file names; `**` does so in folders below.
  return !/[\^#]|.~|\*\*/.test(bare);
}

/** Most words hold none of these, and need no second look. */
const UNUSUAL = /[=^#~${}[*]/;

/** Words of the language and builtins that bash lacks or that do something else there. */
const ZSH_ONLY = wordSet(
  "- noglob nocorrect repeat foreach end always print echotc echoti chdir integer float private nameref functions vared zcompile zformat zparseopts " +
    "zregexparse zstyle zsocket ztcp zftp zpty zprof zselect zstat zsystem sysopen sysread sysseek syswrite syserror sched strftime bindkey " +
    "limit unlimit log logout bye rehash unhash unfunction unsetopt r getln pushln ttyctl where whence which-command clone cap getcap setcap " +
    "compadd compcall comparguments compdescribe compfiles compgroups compquote comptags comptry compvalues pcre_compile pcre_match pcre_study " +
    "zf_chgrp zf_chmod zf_chown zf_ln zf_mkdir zf_mv zf_rm zf_rmdir zf_sync zcurses zgdbmpath ztie zuntie example disable mapfile readarray",
);

const ZSH_VARIABLES = wordSet(
  "path fpath cdpath manpath mailpath module_path fignore psvar prompt argv ARGC status pipestatus options aliases galiases saliases functions " +
    "commands builtins parameters modules dirstack history historywords jobdirs jobtexts jobstates nameddirs userdirs usergroups funcstack " +
    "functrace funcsourcetrace funcfiletrace reswords patchars widgets keymaps watch WATCH WATCHFMT LOGCHECK NULLCMD READNULLCMD STTY ARGV0 " +
    "TRY_BLOCK_ERROR TRY_BLOCK_INTERRUPT WORDCHARS KEYTIMEOUT REPORTTIME REPORTMEMORY TIMEFMT SPROMPT CORRECT_IGNORE CORRECT_IGNORE_FILE POSTEDIT " +
    "SAVEHIST HISTCHARS histchars DIRSTACKSIZE LISTMAX MATCH MBEGIN MEND match mbegin mend signals errnos sysparams langinfo terminfo termcap " +
    "zsh_eval_context zsh_scheduled_events CPUTYPE MACHTYPE OSTYPE VENDOR TTY TTYIDLE USERNAME GID EGID HOST ERRNO BAUD SHLVL",
);
