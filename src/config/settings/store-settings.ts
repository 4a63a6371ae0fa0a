/** The section `store` of a configuration file: the database that keeps records instead of the state folder. */
import { closed, text } from "../../core/input/shape.ts";
import type { PostgresPlace } from "../../core/ports/store.ts";
import type { ShapeProblem } from "../../safe/files/documents/check-shape.ts";

const url = text("Where the database is. A password does not belong into this file.", {
  minLength: 1,
  maxLength: 2_000,
  examples: ["postgres://toolgate@db.example.com/toolgate?sslmode=verify-full"],
});

export const storeShape = {
  description:
    "A PostgreSQL database that keeps records, approvals, grants, limits, pins and tokens, for many machines. By default the state folder keeps them. Only in files of the user and the administrator.",
  oneOf: [
    url,
    closed(
      {
        url,
        password_file: text("A file that holds the password and nothing else.", { minLength: 1 }),
        ca: text("A file with the certificates that the server's has to be signed by.", { minLength: 1 }),
      },
      ["url"],
      "The database, with files that it needs.",
    ),
    { type: "null" },
  ],
  examples: ["postgres://toolgate@db.example.com/toolgate"],
} as const;

/** Keys as the file has them: the reader of sections does not look into alternatives. */
type Written =
  | string
  | { readonly url: string; readonly password_file?: string | null; readonly ca?: string | null };

/** Undefined: nothing is said. For a section that was checked. */
export function toStoreSettings(written: unknown): PostgresPlace | undefined {
  if (written === undefined || written === null) return undefined;
  const said = written as Written;
  if (typeof said === "string") return { url: said };
  const { url: address, password_file: passwordFile, ca } = said;
  return { url: address, ...(passwordFile && { passwordFile }), ...(ca && { ca }) };
}

/** What no schema can say. The value is not repeated: it may hold a password. */
export function checkStore(written: unknown): ShapeProblem[] {
  const place = toStoreSettings(written);
  if (place === undefined || typeof place.url !== "string") return [];
  const parsed = URL.parse(place.url);
  const reason = !/^postgres(?:ql)?:$/.test(parsed?.protocol ?? "")
    ? "must be an address that begins with postgres://."
    : parsed?.password !== ""
      ? "must hold no password: use password_file, PGPASSWORD or ~/.pgpass."
      : undefined;
  if (reason === undefined) return [];
  const path = typeof written === "string" ? ["store"] : ["store", "url"];
  return [{ path, part: "value", reason, plain: reason }];
}
