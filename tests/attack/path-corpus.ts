/** Thousands of spellings by which a path may try to leave its root. Built from parts, so that combinations nobody listed are in it. */
import { words } from "../words.ts";

export interface CorpusPlace {
  readonly top: string;
  readonly root: string;
}

export function* traversalPaths(place: CorpusPlace): Generator<string> {
  for (const path of [...climbing(place), ...absolute(place), ...odd(place)]) yield path;
}

const dots = [
  ...words(".. %2e%2e %2E%2e .%2e %252e%252e %c0%ae%c0%ae %uff0e%uff0e \uff0e\uff0e \u2025 ．． ... ...."),
  ...[". .", ".. ", " .."],
  ...words("..\u200b \u202e.. ..; ..\t ..\u0000 ..%00 &#46;&#46;"),
];
const slashes = words(
  "/ // /./ \\ \\\\ /\\ \\/ %2f %2F %252f %5c %c0%af \u2215 \u2044 \uff0f \u29f8 /;/ /%00/",
);
const starts = [
  "",
  ...words("./ sub/ sub/../ sub/deeper/ ./sub/./ missing/ inside.txt/ / // file: file:// ~/"),
];
const ends = ["secret.txt", "outside/secret.txt", "root-evil/secret.txt", "rooted/secret.txt"];

function* climbing({ root }: CorpusPlace): Generator<string> {
  for (const [nth, start] of starts.entries()) {
    for (const [dotIndex, dot] of dots.entries()) {
      for (const [slashIndex, slash] of slashes.entries()) {
        // Every spelling from the first starts; from the others a spread of them.
        if (nth > 2 && (dotIndex + slashIndex + nth) % 4 > 0 && dotIndex + slashIndex > 0) continue;
        const step = `${dot}${slash}`;
        for (const depth of [1, 2, 3, 12]) yield `${start}${step.repeat(depth)}${ends[0]}`;
        for (const end of ends.slice(1))
          yield `${start}${step.repeat(1 + (start.split("/").length % 3))}${end}`;
      }
    }
  }
  const here = root.split("/").slice(1);
  for (let depth = 0; depth <= here.length + 3; depth += 1) {
    yield `${"../".repeat(depth)}etc/passwd`;
    yield `${root}/${"../".repeat(depth)}etc/passwd`;
    yield `sub/${"../".repeat(depth)}secret.txt`;
  }
}

function* absolute({ top, root }: CorpusPlace): Generator<string> {
  const prefixes = words(`
    / // /. /./ /../ file:// file: /proc/self/root /proc/self/cwd/../../../../../.. /proc/1/root
    /proc/thread-self/root /dev/fd/../../../root \\\\?\\ C: \\
  `);
  for (const name of words("secret.txt root-evil/secret.txt rooted/secret.txt outside/dir/secret.txt")) {
    const target = `${top}/${name}`;
    for (const prefix of ["", ...prefixes]) {
      yield `${prefix}${target}`;
      yield `${prefix}${target.replaceAll("/", "//")}`;
      yield `${prefix}${target.replaceAll("/", "\\")}`;
      yield encodeURI(`${prefix}${target}`);
    }
  }
  for (const more of ["-evil/secret.txt", "ed/secret.txt", "/../secret.txt", "/./../root-evil/secret.txt"])
    yield `${root}${more}`;
  for (const more of ["//..//secret.txt", "/sub/../../secret.txt", "/inside.txt/../../secret.txt"])
    yield `${root}${more}`;
  yield `${root.toUpperCase()}/../secret.txt`;
  const ofProc = "environ maps cmdline fd/0 cwd/inside.txt root/etc/passwd";
  for (const name of words(ofProc)) yield `/proc/self/${name}`;
  for (const name of words("version 1/environ sys/kernel/hostname")) yield `/proc/${name}`;
  for (const name of words("zero null random stdin fd/0 tty mem")) yield `/dev/${name}`;
  yield* words("/sys/kernel/hostname /etc/passwd /etc/shadow");
}

function* odd({ top }: CorpusPlace): Generator<string> {
  yield* ["", " ", "\0", `inside.txt\0${top}/secret.txt`, "../secret.txt\0.png", "\ud800/../secret.txt"];
  yield* words("/ .. ../ ../. ~root/secret.txt ~ $HOME/secret.txt {..,x}/secret.txt */../../secret.txt");
  yield* ["`pwd`/../secret.txt", "[.][.]/secret.txt"];
  yield* ["a".repeat(300), "a/".repeat(5000), "../".repeat(5000)];
  yield* [`${"sub/../".repeat(200)}../secret.txt`, `${"./".repeat(1000)}../secret.txt`];
}
