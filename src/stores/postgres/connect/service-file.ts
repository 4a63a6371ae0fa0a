/** Reads one service of a connection service file (`pg_service.conf`), as libpq does. */
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { StoreError } from "../../../core/ports/store-error.ts";

type Service = Readonly<Record<string, string | undefined>>;

export function readService(name: string, env: Readonly<Record<string, string | undefined>>): Service {
  const files = [
    env.PGSERVICEFILE ?? join(homedir(), ".pg_service.conf"),
    ...(env.PGSYSCONFDIR === undefined ? [] : [join(env.PGSYSCONFDIR, "pg_service.conf")]),
  ];
  for (const file of files) {
    const found = sectionOf(textOf(file), name);
    if (found !== undefined) return found;
  }
  throw new StoreError(
    "cannot_open",
    `There is no service "${name}" in ${files.join(" or ")}. PGSERVICEFILE names another file.`,
  );
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

function sectionOf(text: string, name: string): Service | undefined {
  let section: string | undefined;
  let found: Record<string, string> | undefined;
  for (const line of text.split(/\r?\n/).map((one) => one.trim())) {
    if (line === "" || line.startsWith("#")) continue;
    const head = /^\[(.*)\]$/.exec(line);
    if (head !== null) {
      if (found !== undefined) return found;
      section = head[1];
      if (section === name) found = {};
    } else if (section === name && found !== undefined) {
      const equals = line.indexOf("=");
      if (equals > 0) found[line.slice(0, equals).trim()] = line.slice(equals + 1).trim();
    }
  }
  return found;
}
