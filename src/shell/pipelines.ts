/** `a && b || c` and `a | b`: which commands run for certain, and in which directory. */

import type { AndOr, Pipeline } from "unbash";
import { readCommandNode, readNode } from "./statements.ts";
import { eitherDirectory, MAX_WRAPPERS, markOpaque, type Walk } from "./walk.ts";

export function readAndOr(walk: Walk, node: AndOr): void {
  const certain = walk.certain;
  const alternatives = node.operators.includes("||");
  let either = walk.directories;
  let skipped = false;
  let { settled } = walk;
  for (let i = 0; i < node.commands.length; i++) {
    const command = node.commands[i];
    if (command === undefined) continue;
    // From the first `||` on, any of the directories so far may be the one.
    if (i > 0 && node.operators[i - 1] === "||") skipped = true;
    if (skipped) {
      walk.directories = either;
      walk.settled = settled;
    }
    const before = walk.directories;
    readNode(walk, command);
    // Only the first command runs for certain; what it sets stays set.
    if (i === 0) settled = walk.settled;
    if (alternatives && walk.directories !== before) either = eitherDirectory(either, walk.directories);
    walk.certain = false;
  }
  walk.certain = certain;
  walk.settled = settled;
  if (skipped) walk.directories = either;
}

export function readPipeline(walk: Walk, node: Pipeline): void {
  const via = walk.via;
  if (node.prefixes.length > MAX_WRAPPERS)
    markOpaque(walk, "too many words such as time stand before a command", "");
  for (const prefix of node.prefixes.slice(0, MAX_WRAPPERS)) {
    if (prefix.type === "Time") walk.via = [...walk.via, "time"];
    else if (prefix.type !== "Negation") markOpaque(walk, "a word before the pipeline is not read here", "");
  }
  if (node.commands.length === 1 && node.commands[0] !== undefined) {
    const { directories: before, settled } = walk;
    readCommandNode(walk, node.commands[0]);
    // zsh times a child of its own: `time x=5` sets nothing.
    walk.settled = settled;
    // `! cd x && cat y` goes on because the `cd` failed.
    if (walk.directories !== before) walk.directories = eitherDirectory(before, walk.directories);
  } else {
    const { certain, directories, settled } = walk;
    walk.certain = false;
    const { fed } = walk;
    for (const command of node.commands) {
      readCommandNode(walk, command);
      walk.fed = true;
      walk.directories = directories;
      walk.settled = settled;
    }
    walk.fed = fed;
    walk.certain = certain;
  }
  walk.via = via;
}
