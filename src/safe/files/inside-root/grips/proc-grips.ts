/**
 * Grips on Linux: every component is held by an O_PATH handle and its children are reached through
 * /proc/self/fd, like openat.
 */
import { close, closeSync, constants, fstatSync, openSync, readlinkSync, statfsSync } from "node:fs";
import { foldName } from "../protected-names.ts";
import { awaitRenames } from "./await-renames.ts";
import { type Grip, type Grips, sameThing } from "./grip.ts";

// Not in `fs.constants`; one value on every Linux architecture that Node supports.
const oPath = 0o10000000;
const holdFlags = oPath | constants.O_NOFOLLOW;

export const procGrips: Grips = {
  raceFree: true,
  createFlags: constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY | constants.O_NOFOLLOW,

  takeRoot(real) {
    const grip = hold(real, real);
    return refuseKernelFiles(grip);
  },

  takeChild(directory, name) {
    const grip = hold(`${directory.at}/${name}`, name);
    return grip.stats.dev === directory.stats.dev ? grip : refuseKernelFiles(grip);
  },

  reopen(grip, flags) {
    // A FIFO or device is never reached: callers open only what the handle already showed to be a regular
    // file.
    return openSync(grip.at, flags | constants.O_NONBLOCK | constants.O_NOCTTY);
  },

  settled(directory, root) {
    const rootPath = readlinkSync(root.at);
    const path = readlinkSync(directory.at);
    return path === rootPath || path.startsWith(rootPath.endsWith("/") ? rootPath : `${rootPath}/`);
  },

  stillNamed(file, directory) {
    awaitRenames(directory.at);
    // The kernel marks a handle whose name was removed or replaced as deleted, for good; a name that came
    // back is another one.
    const path = readlinkSync(file.at);
    const parent = readlinkSync(directory.at);
    const prefix = parent.endsWith("/") ? parent : `${parent}/`;
    return path.startsWith(prefix) && foldName(path.slice(prefix.length)) === foldName(file.name);
  },

  release(grip) {
    closeSync(grip.fd);
  },

  releaseLater(grip) {
    // The handle is gone whether or not the file system had something to say about it.
    close(grip.fd, () => {});
  },
};

/** Without a real /proc the handles cannot be used, and a fake one could lead anywhere. */
export function procIsUsable(): boolean {
  try {
    if (statfsSync("/proc/self/fd").type !== 0x9fa0) return false;
    const root = hold("/", "/");
    try {
      const again = hold(`${root.at}/proc`, "proc");
      closeSync(again.fd);
      return sameThing(fstatSync(root.fd, { bigint: true }), root.stats);
    } finally {
      closeSync(root.fd);
    }
  } catch {
    return false;
  }
}

function hold(path: string, name: string): Grip {
  const fd = openSync(path, holdFlags);
  try {
    return { fd, name, at: `/proc/self/fd/${fd}`, stats: fstatSync(fd, { bigint: true }) };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/** File systems of kernel state: their files are switches, their links lead out of any walk. */
const kernelFileSystems = new Set([
  0x9fa0, 0x62656572, 0x1cd1, 0x64626720, 0x74726163, 0x73636673, 0x27e0eb, 0x63677270, 0xcafe4a11,
  0x6e736673, 0x62656570, 0x42494e4d, 0xde5e81e4, 0xf97cff8c, 0x19800202,
]);

function refuseKernelFiles(grip: Grip): Grip {
  try {
    if (!kernelFileSystems.has(Number(statfsSync(grip.at).type))) return grip;
  } catch (error) {
    closeSync(grip.fd);
    throw error;
  }
  closeSync(grip.fd);
  throw Object.assign(new Error("a file system of the kernel"), { code: "ENODEV" });
}
