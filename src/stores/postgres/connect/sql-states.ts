/**
 * What PostgreSQL's codes (SQLSTATE) mean for whoever waits, in one table. What is not listed has failed for good: it is
 * neither tried again nor told as something that passes.
 */
import type { StoreProblem } from "../../../core/ports/store-error.ts";

export interface SqlState {
  /** `unavailable`: it passes; calls are refused with `store_unavailable`, and what has happened is written later. */
  readonly problem: StoreProblem;
  /** After "The store ...". */
  readonly text: string;
  /** Nobody knows whether the statement was committed. Otherwise it was not. */
  readonly mayBeDone?: true;
  /** The connection is gone, or leads to a server that takes nothing: the next statement needs another one. */
  readonly dropsConnection?: true;
  /** Somebody else was in the way: at once again. */
  readonly repeats?: true;
}

const goesOn = "Nothing that writes or executes runs without a record; toolgate goes on by itself.";
const lost: SqlState = {
  problem: "unavailable",
  text: `cannot be reached: its connection ended. ${goesOn}`,
  mayBeDone: true,
  dropsConnection: true,
};
const refusesConnections: SqlState = {
  problem: "unavailable",
  text: `cannot be reached: it takes no further connections now. ${goesOn}`,
  dropsConnection: true,
};
const endsTransaction: SqlState = {
  problem: "unavailable",
  text: `has ended the transaction and its connection. ${goesOn}`,
  dropsConnection: true,
};
const inTheWay: SqlState = {
  problem: "unavailable",
  text: `is too busy: others were in the way again and again. ${goesOn}`,
  repeats: true,
};
const removed: SqlState = {
  problem: "corrupt",
  text: "lacks a table of toolgate: somebody removed it. Put a copy of the database back.",
};
const damaged: SqlState = { problem: "corrupt", text: "is damaged. Put a copy of the database back." };

/** By code, or by the first two characters for all others of a class. */
const states: Readonly<Record<string, SqlState>> = {
  "08": lost,
  // A copy, a server that recovers, or one that was set to read only: another one has taken over, or will.
  "25006": {
    problem: "unavailable",
    text: `cannot be written: it is a copy that only reads, or was set to read only. ${goesOn}`,
    dropsConnection: true,
  },
  "25P03": endsTransaction,
  "25P04": endsTransaction,
  "28000": {
    problem: "cannot_open",
    text: "refuses this user from this machine; its pg_hba.conf says who may come, and how. If it takes encrypted connections only, add sslmode=require to the URL.",
  },
  "28P01": { problem: "cannot_open", text: "refuses this user: the password is wrong." },
  "3D000": { problem: "cannot_open", text: "does not have this database. Create it: createdb NAME." },
  "3F000": removed,
  "40001": inTheWay,
  "40003": lost,
  "40P01": inTheWay,
  "42501": {
    problem: "cannot_open",
    text: "does not give this user the rights that toolgate needs; docs/scale.md lists them.",
  },
  "42883": removed,
  "42P01": removed,
  "53000": { problem: "unavailable", text: `has no resources left for this now. ${goesOn}` },
  "53100": { problem: "full", text: "is full. Free some space; nothing runs without a record." },
  "53200": { problem: "unavailable", text: `has no memory left for this now. ${goesOn}` },
  "53300": refusesConnections,
  // What `ALTER DATABASE ... ALLOW_CONNECTIONS false` answers, too.
  "55000": refusesConnections,
  "55P03": { problem: "unavailable", text: `is too busy: a lock was not free in time. ${goesOn}` },
  "57014": { problem: "unavailable", text: `took too long and was stopped. ${goesOn}` },
  "57P01": lost,
  "57P02": lost,
  "57P03": {
    problem: "unavailable",
    text: `cannot be reached: it starts or ends. ${goesOn}`,
    dropsConnection: true,
  },
  "57P04": lost,
  "57P05": lost,
  "58": {
    problem: "unavailable",
    text: `cannot work now: its system failed. ${goesOn}`,
    mayBeDone: true,
    dropsConnection: true,
  },
  XX001: damaged,
  XX002: damaged,
};

export function sqlStateOf(code: unknown): SqlState | undefined {
  if (typeof code !== "string" || !/^[0-9A-Z]{5}$/.test(code)) return undefined;
  return Object.hasOwn(states, code) ? states[code] : ofClass(code.slice(0, 2));
}

function ofClass(name: string): SqlState | undefined {
  return Object.hasOwn(states, name) ? states[name] : undefined;
}
