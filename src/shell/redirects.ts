/** Redirects: which files they read and write, and the text they feed in. */

import type { Redirect, Redirection } from "unbash";
import type { CommandRedirect, JudgedCommand } from "../core/ports/command.ts";
import { type Arg, LITERAL, literalArg } from "./arg.ts";
import { resolvePaths } from "./paths.ts";
import { markOpaque, raiseRisk, type Walk, WRITE } from "./walk.ts";
import { addArgs, addQuotedParts, scanWord } from "./words/words.ts";

export function readRedirects(walk: Walk, redirects: readonly Redirection[]): void {
  for (const redirect of redirects) readRedirect(walk, redirect);
}

export function readRedirect(walk: Walk, redirect: Redirection): void {
  if (redirect.descriptor?.type === "FileDescriptorVariable") {
    markOpaque(walk, "a redirect such as {name}> sets a variable; use a number", redirect.descriptor.name);
  }
  switch (redirect.type) {
    case "Redirect":
      readFileRedirect(walk, redirect);
      return;
    case "HereString":
      if (walk.posix) markOpaque(walk, "sh does not know <<<; write a pipe instead", "");
      if (redirect.target === undefined) markOpaque(walk, "there is no text behind <<<", "");
      else scanWord(walk, redirect.target);
      return;
    case "HereDoc": {
      const delimiter = redirect.delimiter;
      // Mixed quoting in a delimiter is read differently by different parsers.
      if (
        delimiter === undefined ||
        !PLAIN_DELIMITER.test(delimiter.text) ||
        redirect.closing === undefined
      ) {
        markOpaque(
          walk,
          "it is not clear where the here-document ends; put its end mark alone on a line",
          delimiter?.text ?? "",
        );
      }
      // bash 5.2 prints a substitution and reads it again, and loses the `;` between commands after a
      // here-document: `$(...<<E ...; sort a ; grep -o P f)` then runs `sort a grep -o P f`.
      if (walk.compound)
        markOpaque(
          walk,
          "a here-document stands in $(...) beside other commands; put it into a line of its own",
          delimiter?.text ?? "",
        );
      const parts = walk.parts.hereDocParts(redirect.body);
      if (parts !== undefined) addQuotedParts(walk, literalArg(""), parts);
      return;
    }
    default:
      markOpaque(
        walk,
        "a redirect is written in a form that is not read here",
        String((redirect as { type: string }).type),
      );
  }
}

/** `wc -l < file` reads the file as `wc -l file` does: a rule about the program speaks of it, too. */
export function giveReads(walk: Walk, from: number, command: JudgedCommand | undefined): void {
  for (let i = from; i < walk.redirects.length; i++) {
    const redirect = walk.redirects[i] as CommandRedirect;
    // A substitution on the way has redirects and commands of its own.
    if (command !== undefined && redirect.access === "read" && redirect.command === undefined)
      walk.redirects[i] = { ...redirect, command };
  }
}

/** Whether it gives a command something to read. What is known to be output only does not. */
export function feeds(redirects: readonly Redirection[]): boolean {
  return redirects.some((redirect) => {
    const { operator, descriptor } = redirect;
    if (operator === "<" && redirect.target?.text === "/dev/null") return false;
    const isOutput = operator.startsWith(">") || operator.startsWith("&>");
    return !isOutput || (descriptor?.type === "FileDescriptor" && descriptor.value === 0);
  });
}

function readFileRedirect(walk: Walk, redirect: Redirect): void {
  const { operator, target } = redirect;
  if (target === undefined) {
    markOpaque(walk, "a redirect names no file", operator);
    return;
  }
  if (walk.posix && operator.startsWith("&"))
    markOpaque(walk, "sh does not know &>; write > FILE 2>&1", target.text);
  if (walk.zsh && target.text.startsWith("!"))
    markOpaque(walk, "zsh takes >! for an operator; put the name into quotes", target.text);
  const args: Arg[] = [];
  addArgs(walk, target, args);
  const arg = args[0];
  if (args.length !== 1 || arg === undefined) {
    markOpaque(walk, "the target of a redirect may become several words; put it into quotes", target.text);
    return;
  }
  if (arg.kind !== LITERAL) {
    if (arg.pathless && arg.prefix === "/dev/fd/") return;
    markOpaque(walk, "the file of a redirect is only known when it runs; write its name", target.text);
    if (operator !== "<") raiseRisk(walk, WRITE);
    return;
  }
  const path = arg.text;
  if ((operator === ">&" || operator === "<&") && /^(?:\d+-?|-)$/.test(path)) return;
  // bash expands the word after `>&` twice when it is a file, and takes `>&-x` for `>&-` and a word `x`.
  if (operator === "<&" || (operator === ">&" && !/^[A-Za-z_./][\w./-]*$/.test(path))) {
    markOpaque(walk, "a redirect is written in a form that is not read here", target.text);
    return;
  }
  if (HARMLESS_TARGET.test(path)) return;
  if (NETWORK_TARGET.test(path.replace(/\/+/g, "/"))) {
    walk.network = true;
    markOpaque(walk, "a redirect opens a network connection", path);
    return;
  }
  const access = operator === "<" ? "read" : "write";
  if (access === "write") raiseRisk(walk, WRITE);
  for (const resolved of resolvePaths(walk, path)) {
    if (resolved === undefined)
      markOpaque(walk, "the folder of a redirect is only known when it runs; write it out", path);
    else walk.redirects.push({ path: resolved, access });
  }
}

const HARMLESS_TARGET = /^\/dev\/(?:null|stdin|stdout|stderr|fd\/\d)$/;
const NETWORK_TARGET = /^\/dev\/(?:tcp|udp)(?:\/|$)/;
const PLAIN_DELIMITER = /^(?:\\?[A-Za-z0-9_]+|'[A-Za-z0-9_ ]+'|"[A-Za-z0-9_ ]+")$/;
