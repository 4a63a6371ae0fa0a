/** The path attacks that need no race: each returns what went wrong, so that they can be run against versions that must fail. */
import { execFileSync } from "node:child_process";
import { closeSync, constants, linkSync, mkdirSync, openSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { words } from "../words.ts";
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
    const filled = (text: string) =>
      text.replace("TOP", world.top).replace("OUTSIDE", world.outside).replace("ROOT", world.root);
    const close = layout.build?.(world);
    for (const [name, target] of Object.entries(layout.links ?? {}))
      symlinkSync(filled(target), join(world.root, name));
    try {
      const subject = makeSubject(world.root);
      for (const path of layout.paths.map(filled)) {
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
  readonly paths: readonly string[];
  /** Links in the root and where they lead. TOP, OUTSIDE and ROOT stand for the folders of the world, here and in `paths`. */
  readonly links?: Readonly<Record<string, string>>;
  /** Whatever else it needs; returns how to end it. */
  build?(world: PathWorld): (() => Promise<void>) | undefined;
  /** The FIFO at which a wrong version waits. */
  readonly waits?: string;
  /** No regular file: any success is wrong. */
  readonly special?: boolean;
  /** A wrong version would write to this machine. */
  readonly onlyRead?: boolean;
}

const layouts: readonly Layout[] = [
  {
    name: "a link to a file outside, absolute",
    paths: ["l", "./l", "sub/../l"],
    links: { l: "OUTSIDE/secret.txt" },
  },
  {
    name: "a link to a file outside, relative",
    paths: ["l", "sub/l"],
    links: { l: "../outside/secret.txt", "sub/l": "../../outside/secret.txt" },
  },
  {
    name: "a link to a directory outside",
    paths: ["l/secret.txt", "l/new.txt", "l/dir/secret.txt", "l/../outside/secret.txt"],
    links: { l: "OUTSIDE" },
  },
  {
    name: "a link to the parent",
    paths: ["l/secret.txt", "l/root-evil/secret.txt", "l/root/../secret.txt", "l/new.txt"],
    links: { l: ".." },
  },
  {
    name: "a link to the file system's root",
    paths: ["lTOP/secret.txt", "l/etc/passwd"],
    links: { l: "/" },
    onlyRead: true,
  },
  {
    name: "a chain of links",
    paths: ["a", "a/new.txt", "d/secret.txt"],
    links: {
      ...{ a: "b", b: "sub/c", "sub/c": "../../outside/secret.txt" },
      ...{ d: "sub/e", "sub/e": "deeper/f", "sub/deeper/f": "../../../outside" },
    },
  },
  {
    name: "a link that climbs behind another link",
    paths: ["sub/x/../../secret.txt", "sub/x/../secret.txt"],
    links: { "sub/x": "deeper" },
  },
  {
    name: "a link that goes down and up again",
    paths: ["l"],
    links: { l: "sub/deeper/../../../secret.txt" },
  },
  {
    name: "a link to a name that only starts like the root",
    paths: ["l/secret.txt", "m"],
    links: { l: "../root-evil", m: "ROOT-evil/secret.txt" },
  },
  {
    name: "a link that leads nowhere yet, outside",
    paths: ["l", "m/new.txt"],
    links: { l: "../outside/new.txt", m: "../new-directory" },
  },
  {
    name: "links in a circle",
    paths: ["a", "b/c", "self", "self/self"],
    links: { a: "b", b: "a", self: "self" },
  },
  {
    name: "a link through /proc",
    paths: ["l/secret.txt", "cwd/x", "rootTOP/secret.txt", "env", "fd/0"],
    links: {
      ...{ l: "/proc/self/rootOUTSIDE", root: "/proc/self/root", cwd: "/proc/self/cwd" },
      ...{ env: "/proc/self/environ", fd: "/proc/self/fd" },
    },
    onlyRead: true,
  },
  { name: "a link to a device", paths: ["l"], links: { l: "/dev/null" }, special: true },
  {
    name: "a hard link to a file outside",
    paths: ["h", "sub/h"],
    build: ({ outside, root }) => {
      for (const name of ["h", "sub/h"]) linkSync(`${outside}/secret.txt`, join(root, name));
      return undefined;
    },
  },
  {
    name: "missing directories outside",
    paths: ["../new/deep/file.txt", "sub/../../new2/file.txt", "l/x/y/file.txt"],
    links: { l: "../outside/new3" },
  },
  {
    name: "a protected name behind other names",
    paths: words(".env plain.txt sub/plain.txt sub/../.env d/.env chain .ENV .env.local sub/.Env .e\u200bnv"),
    links: { "plain.txt": ".env", "sub/plain.txt": "../.env", d: "sub", chain: "plain.txt" },
    build: ({ root, canary }) => {
      for (const name of words(".env .ENV .env.local sub/.Env sub/.env .e\u200bnv"))
        writeFileSync(join(root, name), canary);
      return undefined;
    },
  },
  {
    name: "a FIFO",
    special: true,
    paths: ["fifo", "l"],
    waits: "fifo",
    links: { l: "fifo" },
    build: ({ root }) => {
      execFileSync("mkfifo", [join(root, "fifo")]);
      return undefined;
    },
  },
  {
    name: "a socket",
    special: true,
    paths: ["socket"],
    build: ({ root, canary }) => {
      const server = createServer((socket) => socket.end(canary)).listen(join(root, "socket"));
      return () => new Promise((resolve) => server.close(() => resolve()));
    },
  },
  {
    name: "a directory in the place of a file",
    paths: ["sub", "sub/", ".", "sub/deeper/.."],
    build: ({ root }) => {
      mkdirSync(join(root, "sub", "more"));
      return undefined;
    },
  },
];
