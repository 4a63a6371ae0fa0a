/**
 * The hook, started by somebody else than the agent: it could say in the person's name that a new task
 * begins, or how a call ended.
 */
import { namesAgent } from "./agent-words.ts";
import type { IsOurs, PersonsCommand, Word } from "./persons-commands.ts";

export function hookInWords(words: readonly Word[], isOurs: IsOurs): PersonsCommand | undefined {
  const program = baseName(words[0]?.text ?? "");
  for (const [at, { text, known }] of words.entries()) {
    if (!hookFile.test(text)) continue;
    const isNamed = namesHook(text, words[at + 1]?.text);
    if (!known) return { name: "the hook", certain: false };
    if (!isNamed && !isOurs(text)) continue;
    // Others only look at a file, as far as anybody can tell: `shellcheck hook.sh`.
    return { name: "the hook", certain: at === 0 || runsFiles.test(program) };
  }
  return undefined;
}

/** By its place, or by whom it is told to answer: the name alone is anybody's. */
export function namesHook(word: string, next = ""): boolean {
  return hookFile.test(word) && (ourPlace.test(word) || namesAgent(next));
}

const hookFile = /(?:^|[\\/])hook\.(?:sh|cjs)$/i;
/** The package, the copy in the data folder, the agent's plugin; `dist/hook` wherever it lies. */
const ourPlace = /(?:(?:^|[\\/])toolgate[\\/](?:[^\\/]+[\\/]){0,2}|(?:^|[\\/])dist[\\/]hook[\\/])hook\.\w+$/i;
const runsFiles = /^(?:\.|source|exec|(?:[abdkz]|mk|fi)?a?sh|node(?:js)?|bun|deno|tsx|electron|busybox)$/i;

function baseName(word: string): string {
  return word.slice(Math.max(word.lastIndexOf("/"), word.lastIndexOf("\\")) + 1);
}
