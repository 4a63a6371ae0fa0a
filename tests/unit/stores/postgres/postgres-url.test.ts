import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { toStoreError } from "../../../../src/stores/postgres/connect/postgres-error.ts";
import { toConnection } from "../../../../src/stores/postgres/connect/postgres-url.ts";

const read = (url: string, env: Record<string, string> = {}) => toConnection({ url }, env);

describe("the address of a database", () => {
  it("is read from the URL, and what it leaves out from the usual variables", () => {
    const named = { host: "db.example", port: 6543, user: "gate", database: "records" };
    expect(read("postgres://gate@db.example:6543/records").config).toMatchObject(named);
    const env = { PGHOST: "here", PGPORT: "1", PGUSER: "u", PGDATABASE: "d", PGPASSWORD: "p" };
    const usual = { host: "here", port: 1, user: "u", database: "d", password: "p" };
    expect(read("postgres://", env).config).toMatchObject(usual);
    expect(read("postgres:///records?host=/run/pg").config).toMatchObject({ host: "/run/pg", ssl: false });
  });

  it("can be a service of a service file", () => {
    const file = join(mkdtempSync(join(tmpdir(), "toolgate-service-")), "services");
    writeFileSync(file, "# ours\n[other]\nhost=no\n[gate]\nhost = db.example\nport=6000\nuser=g\ndbname=r\n");
    const env = { PGSERVICEFILE: file, PGSERVICE: "gate" };
    const expected = { host: "db.example", port: 6000, user: "g", database: "r" };
    expect(read("postgres://", env).config).toMatchObject(expected);
    expect(read("postgres:///?service=gate", { PGSERVICEFILE: file }).config).toMatchObject(expected);
    expect(() => read("postgres:///?service=none", env)).toThrow('no service "none"');
  });

  it("is encrypted and verified over a network, unless somebody says otherwise", () => {
    const ssl = (address: string) => read(`postgres://${address}`).config.ssl;
    expect(ssl("db.example/x")).toEqual({ rejectUnauthorized: true });
    expect(ssl("db.example/x?sslmode=disable")).toBe(false);
    expect(ssl("db.example/x?sslmode=require")).toMatchObject({ rejectUnauthorized: false });
    expect(ssl("127.0.0.1/x")).toBe(false);
    expect(ssl("127.0.0.1/x?sslmode=verify-full")).toEqual({ rejectUnauthorized: true });
    for (const mode of ["prefer", "allow", "verify"])
      expect(() => read(`postgres://db.example/x?sslmode=${mode}`)).toThrow("sslmode");
  });

  it("with a word that it does not know is refused", () => {
    expect(() => read("postgres://db/x?ssl_mode=disable")).toThrow('no parameter "ssl_mode"');
    expect(() => read("mysql://db/x")).toThrow("postgres://");
    expect(() => read("nonsense:hunter2@")).not.toThrow("hunter2");
  });

  it("takes the password from a file, and shows it in no message", () => {
    const file = join(mkdtempSync(join(tmpdir(), "toolgate-password-")), "password");
    writeFileSync(file, "hunter2 %&\n");
    const place = toConnection({ url: "postgres://gate@db.example/x", passwordFile: file }, {});
    expect(place.config.password).toBe("hunter2 %&");
    expect(place.shown).toBe("postgres://gate@db.example:5432/x");
    const inUrl = read("postgres://gate:hunter2%20%25%26@db.example/x");
    for (const { shown, secrets } of [place, inUrl]) {
      const told = toStoreError(new Error(`no: hunter2 %& or hunter2%20%25%26`), { shown, secrets });
      expect(told.message).not.toContain("hunter2");
    }
    const none = { url: "postgres://db/x", passwordFile: "/none" };
    expect(() => toConnection(none, {})).toThrow("password file");
  });
});
