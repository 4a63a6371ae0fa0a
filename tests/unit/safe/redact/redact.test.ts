import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Json } from "../../../../src/core/input/json.ts";
import { createRedactor, redact, redactText } from "../../../../src/safe/redact/redact.ts";
import { words } from "../../../words.ts";

describe("redact", () => {
  it("returns the very same value when there is nothing to take out", () => {
    const value = { path: "src/a.ts", lines: [1, 2], nested: { ok: true, none: null } };
    const result = redact(value);
    expect(result.value).toBe(value);
    expect(result.count).toBe(0);
  });

  it("replaces a value by its field's name, says how many, and leaves the input alone", () => {
    const value = { user: "bob", password: "hunter2", headers: { Authorization: "Bearer abc" } };
    const headers = { Authorization: "[redacted:authorization]" };
    const cleaned = { user: "bob", password: "[redacted:password]", headers };
    expect(redact(value)).toEqual({ value: cleaned, count: 2 });
    expect(value.password).toBe("hunter2");
  });

  it("takes numbers for a password, but not for a token", () => {
    const mark = "[redacted:password]";
    const { value } = redact({ password: 1234, otp: 999_999, tokens: 7, token: 7 });
    expect(value).toEqual({ password: mark, otp: mark, tokens: 7, token: 7 });
  });

  it("takes everything below a field that is all secret, and looks into one that has fields of its own", () => {
    expect(redact({ cookies: { a: "x", b: ["y"] }, auth: { user: "bob", pass: "z" } }).value).toEqual({
      cookies: { a: "[redacted:cookie]", b: ["[redacted:cookie]"] },
      auth: { user: "bob", pass: "[redacted:password]" },
    });
  });

  it("leaves empty values, references and marks as they are", () => {
    const reference = ["$", "{TOKEN}"].join("");
    const value = { password: "", token: reference, secret: "[redacted:secret]", api_key: "{{key}}" };
    expect(redact(value)).toEqual({ value, count: 0 });
  });

  it("looks closely at a name that may be harmless: only what looks generated goes", () => {
    const generated = Buffer.from("any 30 bytes will look random.").toString("base64url").slice(0, 36);
    expect(redact({ key: "users/12", cloudflare: "zone one" }).count).toBe(0);
    expect(redact({ key: `${generated}7Zq` }).value).toEqual({ key: "[redacted:key]" });
  });

  it("keeps an own key named __proto__ a key", () => {
    const value = JSON.parse('{"__proto__": {"admin": true}, "password": "x"}') as Json;
    const result = redact(value).value;
    expect(JSON.stringify(result)).toBe('{"__proto__":{"admin":true},"password":"[redacted:password]"}');
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
  });

  it("marks equal secrets equally when there is a key for it, and only then", () => {
    const one = createRedactor({ correlationKey: "k1" });
    const other = createRedactor({ correlationKey: "k2" });
    const marked = (by: typeof one, password: string) => JSON.stringify(by.redact({ password }).value);
    expect(marked(one, "hunter2")).toBe(marked(one, "hunter2"));
    expect(marked(one, "hunter2")).not.toBe(marked(one, "hunter3"));
    expect(marked(one, "hunter2")).not.toBe(marked(other, "hunter2"));
    expect(marked(one, "hunter2")).toMatch(/\[redacted:password#[0-9a-f]{12}\]/);
  });

  it("takes a known secret out of keys, values and texts", () => {
    const redactor = createRedactor({ secrets: ["our-own-value"] });
    expect(redactor.redactText("got our-own-value back")).toBe("got [redacted:known-secret] back");
    expect(redactor.redact({ "our-own-value": ["our-own-value"] })).toEqual({
      value: { "[redacted:known-secret]": ["[redacted:known-secret]"] },
      count: 2,
    });
  });

  it("for any value: never throws, changes nothing the second time, and keeps the shape", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const once = redact(value as Json);
        expect(redact(once.value)).toEqual({ value: once.value, count: 0 });
        expect(Array.isArray(once.value)).toBe(Array.isArray(value));
      }),
      { numRuns: 500 },
    );
  });

  it("for any text of names, signs and values: changes nothing the second time", () => {
    const names = "password token key sig cookie passphrase Authorization Bearer Basic --token <password>";
    const signs = '= : => " \' \\ \\" , ; & < > </ :// @ / ] $ { } %20 -u [redacted:x] [redacted:';
    const blanks = [": ", " = ", "\n", " ", "mysql -p"];
    const word = fc.constantFrom(...words(`${names} ${signs} abc a1b2c3d4e5f6g7h8 bob`), ...blanks);
    fc.assert(
      fc.property(fc.array(word, { maxLength: 14 }), (words) => {
        const once = redactText(words.join(""));
        expect(redactText(once)).toBe(once);
      }),
      { numRuns: 5_000, seed: 42 },
    );
  });
});
