/**
 * Grips where Node offers no handle-relative calls (macOS, Windows): paths without links, identity compared
 * after every open. On macOS O_NOFOLLOW_ANY makes the open itself refuse any link on the way, so reads and
 * new files cannot be led astray; rename and unlink go by a path that was checked a moment before. On Windows
 * a process that swaps directories for junctions at exactly the right two moments could still win; that is
 * the best available and is said in the security notes.
 */
import { closeSync, constants, fstatSync, lstatSync, openSync, realpathSync } from "node:fs";
import { basename, join, sep } from "node:path";
import { type Grips, sameThing, staleHandle } from "./grip.ts";

const noFollowAny = process.platform === "darwin" ? 0x20000000 : 0;
const openFlags =
  (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0) | noFollowAny;

export const pathGrips: Grips = {
  raceFree: false,
  createFlags:
    constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0) | noFollowAny,

  takeRoot(real) {
    return { fd: -1, name: real, at: real, stats: lstatSync(real, { bigint: true }) };
  },

  takeChild(directory, name) {
    const path = join(directory.at, name);
    const stats = lstatSync(path, { bigint: true });
    if (stats.isSymbolicLink()) return { fd: -1, name, at: path, stats };
    // The file system's own spelling: a short name (GIT~1) or other case must meet the protected names as
    // what it is.
    const spelled = basename(realpathSync.native(path));
    return { fd: -1, name: spelled, at: join(directory.at, spelled), stats };
  },

  reopen(grip, flags) {
    const fd = openSync(grip.at, flags | openFlags);
    try {
      if (sameThing(fstatSync(fd, { bigint: true }), grip.stats) && realpathSync.native(grip.at) === grip.at)
        return fd;
    } catch (error) {
      closeSync(fd);
      throw error;
    }
    closeSync(fd);
    throw staleHandle(grip.at);
  },

  settled(directory, root) {
    const real = realpathSync.native(directory.at);
    if (real !== root.at && !real.startsWith(root.at.endsWith(sep) ? root.at : `${root.at}${sep}`))
      return false;
    return sameThing(lstatSync(real, { bigint: true }), directory.stats);
  },

  stillNamed(file, directory) {
    const now = lstatSync(join(directory.at, file.name), { bigint: true, throwIfNoEntry: false });
    return now !== undefined && sameThing(now, file.stats);
  },

  release() {},

  releaseLater() {},
};
