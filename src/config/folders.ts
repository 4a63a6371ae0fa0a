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
    config: join(absolute(env.XDG_CONFIG_HOME) ?? join(home, ".config"), "toolgate"),
    state: join(absolute(env.XDG_STATE_HOME) ?? join(home, ".local", "state"), "toolgate"),
    data: join(absolute(env.XDG_DATA_HOME) ?? join(home, ".local", "share"), "toolgate"),
    cache: join(absolute(env.XDG_CACHE_HOME) ?? join(home, ".cache"), "toolgate"),
    admin: "/etc/toolgate",
  };
}

/** A relative folder would depend on where the agent happens to stand; the XDG rules say to ignore it. */
function absolute(folder: string | undefined): string | undefined {
  return folder !== undefined && (folder.startsWith("/") || /^[A-Za-z]:[\\/]/.test(folder))
    ? folder
    : undefined;
}
