/** The driver `pg`, which only those install who keep their records in PostgreSQL. */
import type Pg from "pg";
import { StoreError } from "../../../core/ports/store-error.ts";

export type PgDriver = typeof Pg;

export async function loadPg(): Promise<PgDriver> {
  try {
    const { default: driver } = await import("pg");
    return driver;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why = code === "ERR_MODULE_NOT_FOUND" ? "it is not installed" : `${(error as Error).message}`;
    throw new StoreError(
      "cannot_open",
      `A store in PostgreSQL needs the package "pg", and it cannot be loaded: ${why}. Run: npm install pg (next to toolgate; with a global toolgate: npm install -g pg).`,
    );
  }
}
