/** The path attacks that need no race: each returns what went wrong, so that they can be run against versions that must fail. */
import { execFileSync } from "node:child_process";
import { closeSync, constants, linkSync, mkdirSync, openSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { traversalPaths } from "./path-corpus.ts";
import type { MakeSubject, PathSubject } from "./path-subjects.ts";
import { makePathWorld, type PathWorld } from "./path-world.ts";

export interface AttackReport {
  readonly attempts: number;
  readonly escapes: readonly string[];
}

export async function attackWithCorpus(makeSubject: MakeSubject): Promise<AttackReport> {
  const world = makePathWorld();
  try {
    const subject = makeSubject(world.root);
    const before = world.outsideState();
    const escapes: string[] = [];
    let attempts = 0;
    for (const path of traversalPaths(world)) {
      attempts += 1;
      if (!reveals(world, await subject.read(path))) continue;
      escapes.push(`read ${JSON.stringify(path)}`);
      break;
    }
    for (const path of traversalPaths(world)) {
      // What exists outside of the world must survive a mutant.
      if (attempts++ % 3 > 0 || /proc|dev|sys|etc/.test(path)) continue;
      const said = await subject.write(path, "overwritten");
      if ((said || attempts % 500 < 3) && world.outsideState() !== before) {
        escapes.push(`write ${JSON.stringify(path)}`);
        break;
      }
    }
    if (world.outsideState() !== before) escapes.push("write");
    return { attempts, escapes };
  } finally {
    world.remove();
  }
}

/** `only`: the layouts whose name starts so. */
export async function attackWithLayouts(makeSubject: MakeSubject, only = ""): Promise<AttackReport> {
  const escapes: string[] = [];
  let attempts = 0;
  for (const layout of layouts.filter(({ name }) => name.startsWith(only))) {
    const world = makePathWorld();
    const close = layout.build(world);
    try {
      const subject = makeSubject(world.root);
      for (const path of layout.paths(world)) {
        attempts += 2;
        const complaint = await attackOne(world, subject, path, layout);
        if (complaint !== undefined) escapes.push(`${layout.name}: ${complaint} ${path}`);
      }
    } finally {
      await close?.();
      world.remove();
    }
  }
  return { attempts, escapes };
}

async function attackOne(
  world: PathWorld,
  subject: PathSubject,
  path: string,
  how: Layout,
): Promise<string | undefined> {
  const before = world.outsideState();
  const fifo = how.waits && join(world.root, how.waits);
  const contents = await inTime(subject.read(path), fifo);
  if (contents === "stuck") return "blocked on";
  if (reveals(world, contents) || (how.special && contents !== undefined)) return "read";
  if (how.onlyRead) return undefined;
  const written = await inTime(subject.write(path, "overwritten"), fifo);
  if (written === "stuck") return "blocked on";
  if (world.outsideState() !== before || (how.special && written)) return "wrote";
  return undefined;
}

function reveals(world: PathWorld, contents: string | undefined): boolean {
  return (
    contents !== undefined &&
    (contents.includes(world.canary) || /^root:.*:0:0:/m.test(contents) || contents.includes("PATH="))
  );
}

/** A reader that waits for a writer would wait for ever: after the limit we are that writer. */
async function inTime<Result>(work: Promise<Result>, fifo: string | undefined): Promise<Result | "stuck"> {
  if (fifo === undefined) return work;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<"stuck">((resolve) => {
    timer = setTimeout(() => resolve("stuck"), 400);
  });
  const first = await Promise.race([work, late]);
  clearTimeout(timer);
  if (first === "stuck") {
    const fd = openSync(fifo, constants.O_RDWR | constants.O_NONBLOCK);
    setTimeout(() => closeSync(fd), 200);
    await work;
  }
  return first;
}

interface Layout {
  readonly name: string;
  build(world: PathWorld): (() => Promise<void>) | undefined;
  paths(world: PathWorld): readonly string[];
  /** The FIFO at which a wrong version waits. */
  readonly waits?: string;
  /** No regular file: any success is wrong. */
  readonly special?: boolean;
  /** A wrong version would write to this machine. */
  readonly onlyRead?: boolean;
}

function layout(
  name: string,
  paths: Layout["paths"],
  build: (world: PathWorld) => void,
  more: Partial<Layout> = {},
): Layout {
  return {
    name,
    paths,
    build: (world) => {
      build(world);
      return undefined;
    },
    ...more,
  };
}

const link = (world: PathWorld, name: string, target: string) => symlinkSync(target, join(world.root, name));

const layouts: readonly Layout[] = [
  layout(
    "a link to a file outside, absolute",
    () => ["l", "./l", "sub/../l"],
    (world) => link(world, "l", `${world.outside}/secret.txt`),
  ),
  layout(
    "a link to a file outside, relative",
    () => ["l", "sub/l"],
    (world) => {
      link(world, "l", "../outside/secret.txt");
      link(world, "sub/l", "../../outside/secret.txt");
    },
  ),
  layout(
    "a link to a directory outside",
    () => ["l/secret.txt", "l/new.txt", "l/dir/secret.txt", "l/../outside/secret.txt"],
    (world) => link(world, "l", world.outside),
  ),
  layout(
    "a link to the parent",
    () => ["l/secret.txt", "l/root-evil/secret.txt", "l/root/../secret.txt", "l/new.txt"],
    (world) => link(world, "l", ".."),
  ),
  layout(
    "a link to the file system's root",
    ({ top }) => [`l${top}/secret.txt`, "l/etc/passwd"],
    (world) => link(world, "l", "/"),
    { onlyRead: true },
  ),
  layout(
    "a chain of links",
    () => ["a", "a/new.txt", "d/secret.txt"],
    (world) => {
      link(world, "a", "b");
      link(world, "b", "sub/c");
      link(world, "sub/c", "../../outside/secret.txt");
      link(world, "d", "sub/e");
      link(world, "sub/e", "deeper/f");
      link(world, "sub/deeper/f", "../../../outside");
    },
  ),
  layout(
    "a link that climbs behind another link",
    () => ["sub/x/../../secret.txt", "sub/x/../secret.txt"],
    (world) => link(world, "sub/x", "deeper"),
  ),
  layout(
    "a link that goes down and up again",
    () => ["l"],
    (world) => link(world, "l", "sub/deeper/../../../secret.txt"),
  ),
  layout(
    "a link to a name that only starts like the root",
    () => ["l/secret.txt", "m"],
    (world) => {
      link(world, "l", "../root-evil");
      link(world, "m", `${world.root}-evil/secret.txt`);
    },
  ),
  layout(
    "a link that leads nowhere yet, outside",
    () => ["l", "m/new.txt"],
    (world) => {
      link(world, "l", "../outside/new.txt");
      link(world, "m", "../new-directory");
    },
  ),
  layout(
    "links in a circle",
    () => ["a", "b/c", "self", "self/self"],
    (world) => {
      link(world, "a", "b");
      link(world, "b", "a");
      link(world, "self", "self");
    },
  ),
  layout(
    "a link through /proc",
    ({ top }) => ["l/secret.txt", "cwd/x", `root${top}/secret.txt`, "env", "fd/0"],
    (world) => {
      link(world, "l", `/proc/self/root${world.outside}`);
      link(world, "root", "/proc/self/root");
      link(world, "cwd", "/proc/self/cwd");
      link(world, "env", "/proc/self/environ");
      link(world, "fd", "/proc/self/fd");
    },
    { onlyRead: true },
  ),
  layout(
    "a link to a device",
    () => ["l"],
    (world) => link(world, "l", "/dev/null"),
    { special: true },
  ),
  layout(
    "a hard link to a file outside",
    () => ["h", "sub/h"],
    (world) => {
      linkSync(`${world.outside}/secret.txt`, join(world.root, "h"));
      linkSync(`${world.outside}/secret.txt`, join(world.root, "sub/h"));
    },
  ),
  layout(
    "missing directories outside",
    () => ["../new/deep/file.txt", "sub/../../new2/file.txt", "l/x/y/file.txt"],
    (world) => link(world, "l", "../outside/new3"),
  ),
  layout(
    "a protected name behind other names",
    () => [
      ".env",
      "plain.txt",
      "sub/plain.txt",
      "sub/../.env",
      "d/.env",
      "chain",
      ".ENV",
      ".env.local",
      "sub/.Env",
      ".e\u200bnv",
    ],
    (world) => {
      for (const name of [".env", ".ENV", ".env.local", "sub/.Env", "sub/.env", ".e\u200bnv"])
        writeFileSync(join(world.root, name), world.canary);
      link(world, "plain.txt", ".env");
      link(world, "sub/plain.txt", "../.env");
      link(world, "d", "sub");
      link(world, "chain", "plain.txt");
    },
  ),
  {
    name: "a FIFO",
    special: true,
    paths: () => ["fifo", "l"],
    waits: "fifo",
    build: (world) => {
      execFileSync("mkfifo", [join(world.root, "fifo")]);
      link(world, "l", "fifo");
      return undefined;
    },
  },
  {
    name: "a socket",
    special: true,
    paths: () => ["socket"],
    build: (world) => {
      const server = createServer((socket) => socket.end(world.canary)).listen(join(world.root, "socket"));
      return () => new Promise((resolve) => server.close(() => resolve()));
    },
  },
  layout(
    "a directory in the place of a file",
    () => ["sub", "sub/", ".", "sub/deeper/.."],
    (world) => {
      mkdirSync(join(world.root, "sub", "more"));
    },
  ),
];
