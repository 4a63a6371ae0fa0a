import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Json } from "../../../../src/core/input/json.ts";
import { mayHoldSecret, mayHoldSecretIn } from "../../../../src/safe/redact/may-hold-secret.ts";
import { redact } from "../../../../src/safe/redact/redact.ts";
import { ordinary, shapedSecrets, surroundedSecrets } from "../../../attack/redact-samples.ts";
import { encodedSecrets, hiddenSecrets, toldSecrets } from "../../../attack/redact-told-samples.ts";
import { words } from "../../../words.ts";

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
    const cards = [{ a: 4_111_111_111_111_111 }, { a: [378_282_246_310_005] }];
    const numbers = [...cards, { pin: 4711 }, { userPin: 4711 }];
    expect(numbers.map((value) => redact(value).count)).toEqual([1, 1, 1, 1]);
    expect(missed(numbers)).toEqual([]);
  });

  const names = fc.constantFrom(
    ...words(`
      Passwort contraseña senha mdp пароль 密码 pin ssn pw psw schlüssel motDePasse password dbPasswd PWD otp cvv
      clientSecret creds authorization cookie jwt token apiKey api_key key ssh-key privkey pat githubPat auth pass
      session connstr connectionString code_verifier recovery_codes mfaCode sig dsn salt seed sentry okta sumo lob
      zoom linear jira SharedAccessKey bearer sessid sas
    `),
  );
  // What the alphabet of generated keys allows.
  const characters = [..."abcdefgh234567ABCDEFGHJKMNPQRSTUVWXYZ_+/=.~%@$!-"];
  const word = fc.string({ unit: fc.constantFrom(...characters), minLength: 1, maxLength: 40 });
  const inNames = (put: (name: string, value: string) => Json) =>
    fc.tuple(names, word).map(([name, value]): Json => ({ input: put(name, value) }));
  const inWords = (put: (value: string, user: string) => Json) =>
    fc.tuple(word, word).map(([value, user]): Json => ({ input: put(value, user) }));
  const named = fc.oneof(
    inNames((name, value) => ({ [name]: value })),
    inNames((name, value) => ({ command: `${name}=${value} run` })),
    inNames((name, value) => ({ command: `run --${name} '${value}'` })),
    inNames((name, value) => ({ content: `{"${name}": "${value}"}` })),
    inNames((name, value) => ({ headers: [{ name, value }] })),
    inNames((name, value) => ({ args: [`--${name}`, value] })),
    inNames((name, value) => ({ xml: `<${name}>${value}</${name}>` })),
    fc.tuple(names, fc.nat()).map(([name, value]): Json => ({ input: { [name]: value } })),
    inWords((value, user) => ({ command: `curl -u ${user}:${value} x` })),
    inWords((value, user) => ({ url: `ftp://${user}:${value}@h.example/` })),
    inWords((value) => ({ command: `mysqldump -u root -p${value} shop` })),
    inWords((value) => ({ command: `sent Bearer ${value} to them` })),
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
    const commands = ["git status", "ls -la src", "npm test", "cat README.md"];
    const calls = [...commands, "https://example.com/page", "src/a.ts"];
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
