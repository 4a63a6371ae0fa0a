/** What the path attacks are run against: the real file operations, and versions with one realistic mistake each that must be caught. */
import { constants, fstatSync, openSync, realpathSync, renameSync, writeFileSync } from "node:fs";
import { mkdir, open, readFile, realpath, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve, sep } from "node:path";
import type { Grips } from "../../src/safe/files/inside-root/grips/grip.ts";
import { pathGrips } from "../../src/safe/files/inside-root/grips/path-grips.ts";
import { procGrips } from "../../src/safe/files/inside-root/grips/proc-grips.ts";
import { createInsideRoot } from "../../src/safe/files/inside-root/inside-root.ts";
import { readInside } from "../../src/safe/files/inside-root/read.ts";
import { createScope, type InsideRootOptions } from "../../src/safe/files/inside-root/scope.ts";
import { writeInside } from "../../src/safe/files/inside-root/write.ts";

export interface PathSubject {
  /** The contents, or undefined when refused. */
  read(path: string): Promise<string | undefined>;
  /** True when something was written. */
  write(path: string, text: string): Promise<boolean>;
}

export type MakeSubject = (root: string) => PathSubject;

export function realSubject(options: Partial<InsideRootOptions> = {}): MakeSubject {
  return (root) => {
    const files = createInsideRoot({ roots: [root], durable: false, ...options });
    return {
      read: async (path) => {
        const result = await files.read(path);
        return result.ok ? result.bytes.toString() : undefined;
      },
      write: async (path, text) => (await files.write(path, text)).ok,
    };
  };
}

/** The real walk and operations over grips with a mistake in them. */
function withGrips(change: Partial<Grips>, base: Grips = procGrips): MakeSubject {
  return (root) => {
    const scope = { ...createScope({ roots: [root], durable: false }), grips: { ...base, ...change } };
    return {
      read: async (path) => {
        const result = await readInside(scope, path);
        return result.ok ? result.bytes.toString() : undefined;
      },
      write: async (path, text) => (await writeInside(scope, path, text)).ok,
    };
  };
}

/** A subject made of one check, followed by ordinary calls by path. */
function checkedByPath(
  check: (root: string, path: string) => Promise<string | undefined> | string | undefined,
): MakeSubject {
  return (root) => ({
    read: (path) =>
      quietly(async () => {
        const allowed = await check(root, path);
        return allowed === undefined ? undefined : readFile(allowed, "utf8");
      }),
    write: async (path, text) =>
      (await quietly(async () => {
        const allowed = await check(root, path);
        if (allowed === undefined) return undefined;
        await writeFile(allowed, text);
        return true;
      })) === true,
  });
}

/** The text of the path starts with the text of the root. */
const prefixCheck = checkedByPath((root, path) => {
  const full = resolve(root, path);
  return full.startsWith(root) ? full : undefined;
});

/** As above with the separator, but links are not looked at. */
const lexicalCheck = checkedByPath((root, path) => {
  const full = resolve(root, path);
  return full === root || full.startsWith(root + sep) ? full : undefined;
});

/** "Contains no .." on the text as it came; decoded afterwards. */
const decodedAfterCheck = checkedByPath((root, path) => {
  if (path.split(/[\\/]/).includes("..") || path.startsWith("/")) return undefined;
  return resolve(root, decodeURIComponent(path));
});

/** The parent is resolved, the last name is trusted: a link there is followed by the write. */
const parentOnlyCheck = checkedByPath(async (root, path) => {
  const full = resolve(root, path);
  const parent = await realpath(dirname(full));
  return parent === root || parent.startsWith(root + sep) ? join(parent, basename(full)) : undefined;
});

/** Everything right, except that the check is by path and the open comes after it. */
const realpathThenOpen: MakeSubject = (root) => {
  const inside = (real: string) => real === root || real.startsWith(root + sep);
  return {
    read: (path) =>
      quietly(async () => {
        const real = await realpath(resolve(root, path));
        if (!inside(real) || basename(real).startsWith(".env")) return undefined;
        const before = await stat(real);
        if (!before.isFile() || before.nlink > 1) return undefined;
        const file = await open(real, constants.O_RDONLY | constants.O_NONBLOCK);
        try {
          return await file.readFile("utf8");
        } finally {
          await file.close();
        }
      }),
    write: async (path, text) =>
      (await quietly(async () => {
        const full = resolve(root, path);
        const parent = await realpath(dirname(full));
        if (!inside(parent)) return undefined;
        const temporary = join(parent, `.tmp-${process.hrtime.bigint()}`);
        writeFileSync(temporary, text, { flag: "wx" });
        renameSync(temporary, join(parent, basename(full)));
        return true;
      })) === true,
  };
};

/** Verified after the open, but the open itself waits for the other end of a FIFO. */
const blockingOpen: MakeSubject = (root) => ({
  read: (path) =>
    quietly(async () => {
      const real = await realpath(resolve(root, path));
      if (!real.startsWith(root + sep)) return undefined;
      const file = await open(real, constants.O_RDONLY);
      try {
        return (await file.stat()).isFile() && (await file.stat()).nlink === 1
          ? await file.readFile("utf8")
          : undefined;
      } finally {
        await file.close();
      }
    }),
  write: async () => false,
});

/** The real one, without the look at the number of names a file has. */
const hardLinksRead = realSubject({ allowHardLink: () => true });

/** Opened by handle and verified, but rewritten in place: a second name outside changes with it. */
const writesInPlace: MakeSubject = (root) => ({
  ...realSubject()(root),
  write: async (path, text) =>
    (await quietly(async () => {
      const real = await realpath(resolve(root, path));
      if (!real.startsWith(root + sep)) return undefined;
      const file = await open(real, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
      await file.writeFile(text);
      await file.close();
      return true;
    })) === true,
});

/** Missing directories are made by path before anything is checked. */
const makesParentsFirst: MakeSubject = (root) => ({
  ...realSubject()(root),
  write: async (path, text) => {
    await quietly(() => mkdir(dirname(resolve(root, path)), { recursive: true }));
    return realSubject()(root).write(path, text);
  },
});

/** The handle walk without O_NOFOLLOW: the kernel follows what we believe to have stepped over. */
const walkFollowsLinks = withGrips({
  takeChild(directory, name) {
    const fd = openSync(`${directory.at}/${name}`, 0o10000000);
    return { fd, name, at: `/proc/self/fd/${fd}`, stats: fstatSync(fd, { bigint: true }) };
  },
});

/** The walk is right, but the file is opened again by its path instead of by its handle. */
const reopensByPath = withGrips({
  reopen(grip, flags) {
    return openSync(realpathSync.native(grip.at), flags);
  },
});

/** Hard links are counted, but not whether the inside name was still there when they were. */
const countsNamesOnly = withGrips({ stillNamed: () => true });

/** The way of macOS and Windows without the comparison after the open. */
const pathGripsUnverified = withGrips(
  { reopen: (grip, flags) => openSync(grip.at, flags | constants.O_NONBLOCK), settled: () => true },
  pathGrips,
);

/** Protected names are looked for in the text that was asked for, not in what it leads to. */
const protectedByText: MakeSubject = (root) => {
  const subject = realSubject({ allowProtected: () => true })(root);
  const isProtected = (path: string) => /(?:^|\/)\.env/.test(path);
  return {
    read: async (path) => (isProtected(path) ? undefined : subject.read(path)),
    write: async (path, text) => (isProtected(path) ? false : subject.write(path, text)),
  };
};

async function quietly<Result>(attempt: () => Promise<Result | undefined>): Promise<Result | undefined> {
  try {
    return await attempt();
  } catch {
    return undefined;
  }
}

const ofTheCheck = { prefixCheck, lexicalCheck, decodedAfterCheck, parentOnlyCheck, protectedByText };
const ofTheFile = { hardLinksRead, writesInPlace, makesParentsFirst, blockingOpen };
const ofTheWay = { realpathThenOpen, walkFollowsLinks, reopensByPath, countsNamesOnly, pathGripsUnverified };

/** By name: each must be caught by one of the attacks. */
export const mistakes = { ...ofTheCheck, ...ofTheFile, ...ofTheWay };
