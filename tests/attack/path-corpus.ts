/** Thousands of spellings by which a path may try to leave its root. Built from parts, so that combinations nobody listed are in it. */

export interface CorpusPlace {
  readonly top: string;
  readonly root: string;
}

export function* traversalPaths(place: CorpusPlace): Generator<string> {
  for (const path of [...climbing(place), ...absolute(place), ...odd(place)]) yield path;
}

const dots = [
  "..",
  "%2e%2e",
  "%2E%2e",
  ".%2e",
  "%252e%252e",
  "%c0%ae%c0%ae",
  "%uff0e%uff0e",
  "\uff0e\uff0e",
  "\u2025",
  "．．",
  "...",
  "....",
  ". .",
  ".. ",
  " ..",
  "..\u200b",
  "\u202e..",
  "..;",
  "..\t",
  "..\u0000",
  "..%00",
  "&#46;&#46;",
];
const slashes = [
  "/",
  "//",
  "/./",
  "\\",
  "\\\\",
  "/\\",
  "\\/",
  "%2f",
  "%2F",
  "%252f",
  "%5c",
  "%c0%af",
  "\u2215",
  "\u2044",
  "\uff0f",
  "\u29f8",
  "/;/",
  "/%00/",
];
const starts = [
  "",
  "./",
  "sub/",
  "sub/../",
  "sub/deeper/",
  "./sub/./",
  "missing/",
  "inside.txt/",
  "/",
  "//",
  "file:",
  "file://",
  "~/",
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
  const targets = [
    `${top}/secret.txt`,
    `${top}/root-evil/secret.txt`,
    `${top}/rooted/secret.txt`,
    `${top}/outside/dir/secret.txt`,
  ];
  for (const target of targets) {
    for (const prefix of [
      "",
      "/",
      "//",
      "/.",
      "/./",
      "/../",
      "file://",
      "file:",
      "/proc/self/root",
      "/proc/self/cwd/../../../../../..",
      "/proc/1/root",
      "/proc/thread-self/root",
      "/dev/fd/../../../root",
      "\\\\?\\",
      "C:",
      "\\",
    ]) {
      yield `${prefix}${target}`;
      yield `${prefix}${target.replaceAll("/", "//")}`;
      yield `${prefix}${target.replaceAll("/", "\\")}`;
      yield encodeURI(`${prefix}${target}`);
    }
  }
  yield `${root}-evil/secret.txt`;
  yield `${root}ed/secret.txt`;
  yield `${root}/../secret.txt`;
  yield `${root}/./../root-evil/secret.txt`;
  yield `${root}//..//secret.txt`;
  yield `${root}/sub/../../secret.txt`;
  yield `${root}/inside.txt/../../secret.txt`;
  yield `${root.toUpperCase()}/../secret.txt`;
  for (const name of [
    "self/environ",
    "self/maps",
    "self/cmdline",
    "self/fd/0",
    "self/cwd/inside.txt",
    "self/root/etc/passwd",
    "version",
    "1/environ",
    "sys/kernel/hostname",
  ])
    yield `/proc/${name}`;
  for (const name of ["zero", "null", "random", "stdin", "fd/0", "tty", "mem"]) yield `/dev/${name}`;
  yield "/sys/kernel/hostname";
  yield "/etc/passwd";
  yield "/etc/shadow";
}

function* odd({ top }: CorpusPlace): Generator<string> {
  yield "";
  yield " ";
  yield "/";
  yield "..";
  yield "../";
  yield "../.";
  yield "\0";
  yield `inside.txt\0${top}/secret.txt`;
  yield `../secret.txt\0.png`;
  yield "\ud800/../secret.txt";
  yield "a".repeat(300);
  yield "a/".repeat(5000);
  yield "../".repeat(5000);
  yield `${"sub/../".repeat(200)}../secret.txt`;
  yield `${"./".repeat(1000)}../secret.txt`;
  yield `~root/secret.txt`;
  yield "~";
  yield "$HOME/secret.txt";
  yield "`pwd`/../secret.txt";
  yield "{..,x}/secret.txt";
  yield "*/../../secret.txt";
  yield "[.][.]/secret.txt";
}
