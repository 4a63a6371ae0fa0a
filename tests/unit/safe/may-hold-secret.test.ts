import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Json } from "../../../src/core/input/json.ts";
import { mayHoldSecret, mayHoldSecretIn } from "../../../src/safe/redact/may-hold-secret.ts";
import { redact } from "../../../src/safe/redact/redact.ts";
import { ordinary, shapedSecrets, surroundedSecrets } from "../../attack/redact-samples.ts";
import { encodedSecrets, hiddenSecrets, toldSecrets } from "../../attack/redact-told-samples.ts";

/** The ways in which a text stands in a record. */
const places: readonly ((text: string) => Json)[] = [
  (text) => text,
  (text) => ({ input: { command: `echo ${text} | cat` } }),
  (text) => ({ input: { content: `line\n${text}\nline` } }),
  (text) => ({ message: `"${text}" is wrong`, input: {} }),
  (text) => ({ input: { list: ["a", ["b", { deep: text }]] } }),
  (text) => ({ input: { [text]: 1 } }),
  (text) => ({ input: { command: `a\\n${text}\\t` } }),
  (text) => ({ input: { url: `https://x.example/?q=${text}&x=%20${text}` } }),
];

function missed(values: readonly Json[]): string[] {
  return values
    .filter((value) => redact(value).count > 0)
    .filter((value) => !mayHoldSecret(value) || !mayHoldSecretIn(JSON.stringify(value)))
    .map((value) => JSON.stringify(value).slice(0, 200));
}

describe("a record that redacting would change", () => {
  it("is known to hold something, for every made-up secret in every place", () => {
    const values = [1, 2, 3].flatMap((seed) =>
      [...shapedSecrets(seed), ...surroundedSecrets(seed)].flatMap(({ text }) =>
        places.map((put) => put(text)),
      ),
    );
    expect(values.filter((value) => redact(value).count > 0).length).toBeGreaterThan(4_000);
    expect(missed(values)).toEqual([]);
  });

  it("is known to hold something, however the secret is told, encoded or hidden", () => {
    const values = [...toldSecrets(), ...encodedSecrets(), ...hiddenSecrets()].flatMap(({ text }) =>
      places.map((put) => put(text)),
    );
    expect(values.filter((value) => redact(value).count > 0).length).toBeGreaterThan(4_000);
    expect(missed(values)).toEqual([]);
    const numbers = [
      { a: 4_111_111_111_111_111 },
      { pin: 4711 },
      { userPin: 4711 },
      { a: [378_282_246_310_005] },
    ];
    expect(numbers.map((value) => redact(value).count)).toEqual([1, 1, 1, 1]);
    expect(missed(numbers)).toEqual([]);
  });

  const names = fc.constantFrom(
    ...[
      "Passwort",
      "contraseña",
      "senha",
      "mdp",
      "пароль",
      "密码",
      "pin",
      "ssn",
      "pw",
      "psw",
      "schlüssel",
      "motDePasse",
    ],
    ...[
      "password",
      "dbPasswd",
      "PWD",
      "otp",
      "cvv",
      "clientSecret",
      "creds",
      "authorization",
      "cookie",
      "jwt",
    ],
    ...[
      "token",
      "apiKey",
      "api_key",
      "key",
      "ssh-key",
      "privkey",
      "pat",
      "githubPat",
      "auth",
      "pass",
      "session",
    ],
    ...[
      "connstr",
      "connectionString",
      "code_verifier",
      "recovery_codes",
      "mfaCode",
      "sig",
      "dsn",
      "salt",
      "seed",
    ],
    ...[
      "sentry",
      "okta",
      "sumo",
      "lob",
      "zoom",
      "linear",
      "jira",
      "SharedAccessKey",
      "bearer",
      "sessid",
      "sas",
    ],
  );
  // What the alphabet of generated keys allows.
  const characters = [..."abcdefgh234567ABCDEFGHJKMNPQRSTUVWXYZ_+/=.~%@$!-"];
  const word = fc.string({ unit: fc.constantFrom(...characters), minLength: 1, maxLength: 40 });
  const named = fc.oneof(
    fc.tuple(names, word).map(([name, value]): Json => ({ input: { [name]: value } })),
    fc.tuple(names, word).map(([name, value]): Json => ({ input: { command: `${name}=${value} run` } })),
    fc.tuple(names, word).map(([name, value]): Json => ({ input: { command: `run --${name} '${value}'` } })),
    fc.tuple(names, word).map(([name, value]): Json => ({ input: { content: `{"${name}": "${value}"}` } })),
    fc.tuple(names, word).map(([name, value]): Json => ({ input: { headers: [{ name, value }] } })),
    fc.tuple(names, word).map(([name, value]): Json => ({ input: { args: [`--${name}`, value] } })),
    fc.tuple(names, word).map(([name, value]): Json => ({ input: { xml: `<${name}>${value}</${name}>` } })),
    fc.tuple(names, fc.nat()).map(([name, value]): Json => ({ input: { [name]: value } })),
    fc.tuple(word, word).map(([user, value]): Json => ({ input: { command: `curl -u ${user}:${value} x` } })),
    fc
      .tuple(word, word)
      .map(([user, value]): Json => ({ input: { url: `ftp://${user}:${value}@h.example/` } })),
    word.map((value): Json => ({ input: { command: `mysqldump -u root -p${value} shop` } })),
    word.map((value): Json => ({ input: { command: `sent Bearer ${value} to them` } })),
  );

  it("is known to hold something, for thousands of names and values", () => {
    let redacted = 0;
    fc.assert(
      fc.property(named, (value) => {
        if (redact(value).count > 0) redacted++;
        expect(missed([value])).toEqual([]);
      }),
      { numRuns: 6_000 },
    );
    expect(redacted).toBeGreaterThan(1_000);
  });

  it("is known to hold something, also when a key is full of dollar and exclamation signs", () => {
    const value = { input: { sentry: "aB3$dE5!gH7$jK9!mN1" } };
    expect(redact(value).count).toBe(1);
    expect(missed([value])).toEqual([]);
  });

  it("is one of few: ordinary calls are not looked at twice", () => {
    const calls = [
      "git status",
      "ls -la src",
      "npm test",
      "cat README.md",
      "https://example.com/page",
      "src/a.ts",
    ];
    expect(calls.filter((text) => mayHoldSecret({ input: { command: text } }))).toEqual([]);
    expect(calls.filter((text) => mayHoldSecretIn(JSON.stringify({ input: { command: text } })))).toEqual([]);
    expect(missed(ordinary.map((text) => ({ input: { command: text } })))).toEqual([]);
  });

  it("may hold one whenever it is too much to look at", () => {
    expect(mayHoldSecret("x ".repeat(3_000))).toBe(true);
    expect(mayHoldSecretIn(JSON.stringify("x ".repeat(3_000)))).toBe(true);
    expect(mayHoldSecret(Array.from({ length: 300 }, () => "x"))).toBe(true);
    expect(mayHoldSecret({ [`${"k ".repeat(3_000)}`]: 1 })).toBe(true);
  });
});
