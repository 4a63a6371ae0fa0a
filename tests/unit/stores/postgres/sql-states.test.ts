import { describe, expect, it } from "vitest";
import {
  isConnectionLost,
  isNotDone,
  isWorthRepeating,
  mayWorkLater,
  toStoreError,
} from "../../../../src/stores/postgres/connect/postgres-error.ts";

const place = { shown: "postgres://db/x", secrets: [] };
const error = (code: string) => Object.assign(new Error("what the server said"), { code, severity: "ERROR" });
const told = (code: string) => toStoreError(error(code), place);

describe("what PostgreSQL's codes mean", () => {
  it.for([
    ["a connection that broke", ["08000", "08001", "08003", "08004", "08006", "08P01"]],
    [
      "a server that ends, crashed, starts, dropped the database or lost patience",
      ["57P01", "57P02", "57P03"],
    ],
    ["a database that is gone, an idle session that was ended", ["57P04", "57P05", "25P03", "25P04"]],
    ["a copy that only reads, or recovers", ["25006"]],
    ["too many connections, or none allowed now", ["53300", "55000"]],
    ["no memory, no resources", ["53000", "53200"]],
    ["others in the way", ["40001", "40P01", "55P03"]],
    ["a statement that was stopped, or whose end nobody knows", ["57014", "40003"]],
    ["a system that failed, as poolers say, too", ["58000", "58030"]],
  ] as const)("is a store that is unavailable for now: %s", ([, codes]) => {
    for (const code of codes) {
      expect([code, told(code).problem]).toEqual([code, "unavailable"]);
      expect(mayWorkLater(told(code))).toBe(true);
      expect(told(code).message).toContain("what the server said");
    }
  });

  it("is something that a person has to see to: a full disk, a wrong password, missing rights", () => {
    expect(told("53100").problem).toBe("full");
    for (const code of ["28P01", "28000", "3D000", "42501"])
      expect([code, told(code).problem]).toEqual([code, "cannot_open"]);
    // What has happened is recorded when somebody has.
    for (const code of ["53100", "28P01", "42501"]) expect(mayWorkLater(told(code))).toBe(true);
  });

  it("has failed for good where nothing is listed, or tables were removed", () => {
    for (const code of ["22P02", "23505", "23514", "42601", "53400", "54000", "XX000", "P0001"]) {
      expect([code, told(code).problem]).toEqual([code, "failed"]);
      expect(mayWorkLater(told(code))).toBe(false);
      expect(isConnectionLost(error(code))).toBe(false);
    }
    for (const code of ["42P01", "42883", "3F000", "XX001", "XX002"])
      expect([code, told(code).problem]).toEqual([code, "corrupt"]);
  });

  it("leaves open whether a statement was committed only where its connection broke", () => {
    for (const code of ["08006", "57P01", "57P02", "40003", "58000"])
      expect(isNotDone(told(code))).toBe(false);
    for (const code of ["25006", "40001", "53100", "53200", "53300", "55P03", "57014", "57P03"])
      expect([code, isNotDone(told(code))]).toEqual([code, true]);
    expect(isNotDone(toStoreError(new Error("Connection terminated unexpectedly"), place))).toBe(false);
  });

  it("takes another connection where this one leads to a server that takes nothing, and repeats only clashes", () => {
    for (const code of ["08006", "57P01", "25006", "53300"]) expect(isConnectionLost(error(code))).toBe(true);
    for (const code of ["57014", "55P03", "40001"]) expect(isConnectionLost(error(code))).toBe(false);
    const repeated = ["40001", "40P01", "57014", "25006", "55P03"].filter((code) =>
      isWorthRepeating(error(code)),
    );
    expect(repeated).toEqual(["40001", "40P01"]);
  });
});
