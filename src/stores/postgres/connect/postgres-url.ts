/** Where the database is, from a URL, a service file and the usual variables. The password is never shown. */
import { readFileSync } from "node:fs";
import { homedir, userInfo } from "node:os";
import { join } from "node:path";
import type { ClientConfig } from "pg";
import { messageOf } from "../../../core/call/errors.ts";
import type { PostgresPlace } from "../../../core/ports/store.ts";
import { StoreError } from "../../../core/ports/store-error.ts";
import { readService } from "./service-file.ts";
import { type TlsWish, tlsOf } from "./tls.ts";

export interface Connection {
  readonly config: ClientConfig;
  /** For people: without the password. */
  readonly shown: string;
  /** What must be in no message. */
  readonly secrets: readonly string[];
}

type Environment = Readonly<Record<string, string | undefined>>;

const known = ["host", "sslmode", "sslrootcert", "sslcert", "sslkey", "service", "application_name"];

/** Rejects what it does not know: a misspelt `sslmode` must not mean "without". */
export function toConnection(place: PostgresPlace, env: Environment = process.env): Connection {
  const url = parseUrl(place.url);
  const given = url.searchParams;
  for (const key of given.keys())
    if (!known.includes(key)) throw wrong(`it has no parameter "${key}"; there are ${known.join(", ")}`);
  const service = given.get("service") ?? (url.hostname === "" ? env.PGSERVICE : undefined);
  const fromService = service === undefined ? {} : readService(service, env);
  const host =
    given.get("host") ?? nonEmpty(decode(url.hostname)) ?? fromService.host ?? env.PGHOST ?? "localhost";
  const port = Number(nonEmpty(url.port) ?? fromService.port ?? env.PGPORT ?? 5432);
  const user = nonEmpty(decode(url.username)) ?? fromService.user ?? env.PGUSER ?? userInfo().username;
  const database = nonEmpty(decode(url.pathname.slice(1))) ?? fromService.dbname ?? env.PGDATABASE ?? user;
  const password =
    nonEmpty(decode(url.password)) ??
    readPassword(place.passwordFile) ??
    fromService.password ??
    env.PGPASSWORD;
  const wish: TlsWish = {
    mode: given.get("sslmode") ?? fromService.sslmode ?? env.PGSSLMODE,
    rootCertificate: place.ca ?? given.get("sslrootcert") ?? fromService.sslrootcert ?? env.PGSSLROOTCERT,
    certificate: given.get("sslcert") ?? fromService.sslcert ?? env.PGSSLCERT,
    key: given.get("sslkey") ?? fromService.sslkey ?? env.PGSSLKEY,
  };
  const shownHost = host.startsWith("/") ? `?host=${host}` : "";
  const shown = `postgres://${user}@${shownHost === "" ? `${host}:${port}` : ""}/${database}${shownHost}`;
  return {
    shown,
    secrets: password === undefined ? [] : [password, encodeURIComponent(password)],
    config: {
      host,
      port,
      user,
      database,
      // Without one the driver looks into ~/.pgpass, or the file that PGPASSFILE names.
      ...(password !== undefined && { password }),
      ssl: tlsOf(host, wish),
      application_name: given.get("application_name") ?? "toolgate",
    },
  };
}

function parseUrl(text: string): URL {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw wrong("it is no URL");
  }
  if (url.protocol !== "postgres:" && url.protocol !== "postgresql:")
    throw wrong(`it begins with ${url.protocol}, not with postgres://`);
  return url;
}

/** The text itself may hold a password, so it is not shown. */
function wrong(why: string): StoreError {
  return new StoreError(
    "cannot_open",
    `The address of the store cannot be used: ${why}. Write postgres://USER@HOST:PORT/DATABASE, or postgres:///DATABASE?service=NAME.`,
  );
}

function readPassword(file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  try {
    const path = file.startsWith("~/") ? join(homedir(), file.slice(2)) : file;
    return readFileSync(path, "utf8").replace(/\r?\n$/, "");
  } catch (error) {
    throw new StoreError("cannot_open", `The password file of the store cannot be read: ${messageOf(error)}`);
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw wrong("a % in it is followed by no number; write a % in a name or a password as %25");
  }
}

function nonEmpty(text: string): string | undefined {
  return text === "" ? undefined : text;
}
