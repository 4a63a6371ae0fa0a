/** Where the user's configuration, state and cache live, by the rules of each system. */
import { homedir } from "node:os";
import { join } from "node:path";

export interface Folders {
  readonly home: string;
  /** `config.yaml` and `tools/`. */
  readonly config: string;
  /** What must not be lost: trust, the spool. */
  readonly state: string;
  /** Programs that agents start: copies of the hook. */
  readonly data: string;
  /** What can be made again: compiled rules. */
  readonly cache: string;
  /** The machine's administrator; no variable moves it. */
  readonly admin: string;
}

export type Environment = Readonly<Record<string, string | undefined>>;

export function findFolders(env: Environment, platform: NodeJS.Platform = process.platform): Folders {
  const home = absolute(platform === "win32" ? env.USERPROFILE : env.HOME) ?? homedir();
  if (platform === "win32") {
    const local = absolute(env.LOCALAPPDATA) ?? join(home, "AppData", "Local");
    const roaming = absolute(env.APPDATA) ?? join(home, "AppData", "Roaming");
    return {
      home,
      config: join(roaming, "toolgate"),
      state: join(local, "toolgate", "state"),
      data: join(local, "toolgate", "data"),
      cache: join(local, "toolgate", "cache"),
      admin: join(absolute(env.ProgramData) ?? "C:\\ProgramData", "toolgate"),
    };
  }
  return {
    home,
    config: inside(absolute(env.XDG_CONFIG_HOME) ?? `${home}/.config`, "toolgate"),
    state: inside(absolute(env.XDG_STATE_HOME) ?? `${home}/.local/state`, "toolgate"),
    data: inside(absolute(env.XDG_DATA_HOME) ?? `${home}/.local/share`, "toolgate"),
    cache: inside(absolute(env.XDG_CACHE_HOME) ?? `${home}/.cache`, "toolgate"),
    admin: "/etc/toolgate",
  };
}

/** Like `join`, which walks over every character: most folders are written in the shortest way already. */
function inside(folder: string, name: string): string {
  const path = `${folder}/${name}`;
  return notShort.some((part) => path.includes(part)) ? join(folder, name) : path;
}

const notShort = ["//", "/./", "/../"];

/** A relative folder would depend on where the agent happens to stand; the XDG rules say to ignore it. */
function absolute(folder: string | undefined): string | undefined {
  return folder !== undefined && (folder.startsWith("/") || /^[A-Za-z]:[\\/]/.test(folder))
    ? folder
    : undefined;
}
