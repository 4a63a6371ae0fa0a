import { describe, expect, it } from "vitest";
import type { Json } from "../../src/core/input/json.ts";
import { createRedactor, redact, redactText } from "../../src/safe/redact/redact.ts";
import { words } from "../words.ts";
import {
  createRandom,
  hostilePieces,
  ordinary,
  type Sample,
  shapedSecrets,
  surroundedSecrets,
} from "./redact-samples.ts";
import { slowPieces } from "./redact-time.ts";
import { encodedSecrets, harmless, hiddenSecrets, toldPieces, toldSecrets } from "./redact-told-samples.ts";

type InText = (text: string) => string;
type InValue = (value: Json) => Json;

/** The places where a secret travels: a tool's input, a message, a header dump, code, a JSON text within a JSON text. */
const places: Readonly<Record<string, (text: string) => string>> = {
  alone: (text) => text,
  "in a sentence": (text) => `The server said: ${text} (and closed).`,
  "in quotes": (text) => `value "${text}" is wrong`,
  "in JSON": (text) => JSON.stringify({ note: `before\n${text}\nafter` }),
  "in JSON in JSON": (text) => JSON.stringify(JSON.stringify([text])),
  "after an escape": (text) => `line\\n${text}\\tend`,
  "in a query": (text) => `?q=${text}&x=1`,
  "after a percent escape": (text) => `a%20${text}`,
};

function missedInText(clean: InText, samples: readonly Sample[], everywhere: boolean): string[] {
  const missed: string[] = [];
  for (const { name, secret, text } of samples) {
    for (const [place, put] of Object.entries(everywhere ? places : { alone: (plain: string) => plain })) {
      const result = clean(put(text));
      const lines = secret.slice(0, 600).split("\n");
      const core = lines[secret.includes("\n") ? 1 : 0] ?? secret;
      if (result.includes(core) || (core.length >= 16 && result.includes(core.slice(4, -2))))
        missed.push(`${name}, ${place}`);
    }
  }
  return missed;
}

const fields = [
  ...words(`
    password passwd pwd db_password userPassword PASSWORD password2 passwordHash secret client_secret
    clientSecret CLIENT-SECRET secrets token access_token refreshToken id_token GITHUB_TOKEN githubtoken
    x-auth-token api_key apiKey apikey x-api-key X-API-KEY private_key privateKey secret_access_key
    accessKey signingKey authorization Authorization proxy-authorization cookie Cookie set-cookie cookies
    session credentials credential creds passphrase passcode jwt bearer auth _auth connectionString
    code_verifier encryption_key account_key ssh_key webhook_secret otp cvv tokens AWS_SECRET_ACCESS_KEY
    spring.datasource.password db-password-prod accessTokenV2 secret_id password_reset_token Passwort
    dbKennwort contraseña mot_de_passe пароль 密码 パスワード
  `),
  "mot de passe",
];
const innocent = words(`
  tokens_used max_tokens maxTokens input_tokens token_count tokenType token_limit tokenizer keyboard key
  keys author authority oauth authors secretary passport bypass compass password_policy passwordMinLength
  password_field secret_name secretArn cookie_policy cookieName session_id sessionId sort_key primaryKey
  public_key publicKey foreign_key cache_key monkey turkey description path command __proto__x
  token_expires_at authorization_endpoint tokenUrl password_hint pin pinned card login-token.ts className
`);

function missedFields(clean: InValue): string[] {
  const secret = "zebra crossing";
  return fields.flatMap((field) => {
    const shapes: Record<string, Json> = {
      plain: { [field]: secret },
      nested: { a: [{ b: { [field]: secret } }] },
      flag: { argv: ["run", `--${field.replace(/^_/, "")}`, secret] },
      header: { headers: [{ name: field, value: secret }] },
      pair: { headers: [[field, secret]] },
    };
    return Object.entries(shapes)
      .filter(([shape]) => shape === "plain" || shape === "nested" || /^[A-Za-z][\w-]*$/.test(field))
      .filter(([, value]) => JSON.stringify(clean(value)).includes(secret))
      .map(([shape]) => `${field}, ${shape}`);
  });
}

describe("secrets", () => {
  it("are found by their shape in every place", () => {
    const samples = [1, 2, 3].flatMap((seed) => shapedSecrets(seed));
    expect(new Set(samples.map(({ name }) => name)).size).toBeGreaterThan(100);
    expect(missedInText(redactText, samples, true)).toEqual([]);
  });

  it("are found by what stands around them", () => {
    expect(missedInText(redactText, surroundedSecrets(), false)).toEqual([]);
  });

  it("are found as people, programs and files tell them, in many languages", () => {
    expect(missedInText(redactText, toldSecrets(), false)).toEqual([]);
  });

  it("are found in base64, in hexadecimal digits and as the bodies of keys", () => {
    const samples = [3, 5].flatMap((seed) => encodedSecrets(seed));
    expect(samples.length).toBeGreaterThan(800);
    expect(missedInText(redactText, samples, false)).toEqual([]);
  });

  it("are found with characters inside that nobody sees", () => {
    expect(missedInText(redactText, hiddenSecrets(), false)).toEqual([]);
    expect(redactText("an emoji \u{1f468}\u200d\u{1f469} stays")).toContain("\u200d");
  });

  it("are found as numbers: cards by their check digit, PINs and the like by their name", () => {
    const others = { led: { pin: 4 }, at: 1_750_000_000_000 };
    const { value, count } = redact({ a: 4_111_111_111_111_111, pin: 4711, ssn: 78_051_120, ...others });
    expect(count).toBe(2);
    expect(value).toMatchObject({ a: "[redacted:card-number]", pin: "[redacted:pin]", ...others });
  });

  it("are found by the name of their field, in every shape of record", () => {
    expect(missedFields((value) => redact(value).value)).toEqual([]);
  });

  it("are found as keys of an object too", () => {
    const { secret } = shapedSecrets()[3] as Sample;
    const { value, count } = redact({ [secret]: 1, [`${secret}b`]: 2 });
    expect(JSON.stringify(value)).not.toContain(secret);
    expect(Object.values(value as object)).toEqual([1, 2]);
    expect(count).toBe(2);
  });

  it("that are known are found in every encoding", () => {
    const known = 'k3y+/"with" &odd=chars ü 100%';
    const { redactText: clean } = createRedactor({ secrets: [known, "", "abc"] });
    const bytes = Buffer.from(known);
    const forms = [
      known,
      encodeURIComponent(known),
      encodeURIComponent(known).toLowerCase(),
      new URLSearchParams({ q: known }).toString(),
      JSON.stringify({ known }),
      JSON.stringify(JSON.stringify({ known })),
      bytes.toString("hex"),
      bytes.toString("base64"),
      bytes.toString("base64url"),
      ...["a", "ab", "abc", "user:"].map((before) =>
        Buffer.from(`${before}${known} and after`).toString("base64"),
      ),
    ];
    for (const form of forms) {
      expect(clean(`x ${form} y`), form).toContain("[redacted:known-secret]");
    }
    expect(clean("abc is too short to be told from a word")).toContain("abc");
  });

  it("stay out, and what is no secret stays in", () => {
    expect([...ordinary, ...harmless].filter((text) => redactText(text) !== text)).toEqual([]);
    for (const name of innocent) {
      const value = { [name]: "zebra crossing" };
      expect(redact(value), name).toEqual({ value, count: 0 });
    }
  });

  it("stay out when redacting twice, which changes nothing more", () => {
    const keyed = createRedactor({ correlationKey: "test" });
    for (const { redactText: clean } of [{ redactText }, keyed]) {
      for (const { name, text } of [...toldSecrets(), ...encodedSecrets(), ...hiddenSecrets()]) {
        const once = clean(text);
        expect(clean(once), name).toBe(once);
      }
      for (const { name, text } of [...shapedSecrets(), ...surroundedSecrets()]) {
        for (const put of Object.values(places)) {
          const once = clean(put(text));
          expect(clean(once), name).toBe(once);
        }
      }
    }
    for (const field of fields) {
      const once = keyed.redact({ [field]: "zebra", list: [{ [field]: ["a b", 1] }] });
      expect(keyed.redact(once.value)).toEqual({ value: once.value, count: 0 });
    }
  });

  it("are not hidden from us by a mark that somebody wrote in front", () => {
    expect(redactText("password=[redacted:x]hunter2")).not.toContain("hunter2");
    expect(JSON.stringify(redact({ password: "[redacted:x] hunter2" }).value)).not.toContain("hunter2");
  });
});

describe("a version that would lose secrets is noticed:", () => {
  const byName: InValue = (value) =>
    JSON.parse(
      JSON.stringify(value, (key, item: Json) =>
        /^(?:password|token|secret|api_?key)$/i.test(key) ? "*" : item,
      ),
    ) as Json;
  const textMutants: Readonly<Record<string, InText>> = {
    "field names only": (text) => text,
    "famous prefixes only": (text) => text.replace(/(?:AKIA|ghp_|sk-|xox[bp]-|eyJ)[\w.-]+/g, "*"),
    "one secret a text": (text) => text.replace(/[\w-]{30,}/, "*"),
    "quoted assignments only": (text) =>
      text.replace(/((?:password|token|secret)["']?\s*[:=]\s*["'])[^"']+/gi, "$1*"),
  };
  it.each(Object.entries(textMutants))("%s", (_name, mutant) => {
    expect(missedInText(mutant, [...toldSecrets(), ...encodedSecrets()], false).length).toBeGreaterThan(100);
    expect(missedInText(mutant, [...shapedSecrets(), ...surroundedSecrets()], false).length).toBeGreaterThan(
      10,
    );
  });

  const valueMutants: Readonly<Record<string, InValue>> = {
    "exact field names": byName,
    "top level only": (value) => {
      const [[field = "", item] = []] = Object.entries(value as Record<string, Json>);
      return typeof item === "string" ? redact({ [field]: item }).value : value;
    },
    "value shapes only": (value) =>
      JSON.parse(redactText(JSON.stringify(value)).replace(/\[redacted:\w+\]/g, "")) as Json,
  };
  it.each(Object.entries(valueMutants))("%s", (_name, mutant) => {
    const careful: InValue = (value) => {
      try {
        return mutant(value);
      } catch {
        return value;
      }
    };
    expect(missedFields(careful).length).toBeGreaterThan(5);
  });

  it("a name test by substring, which also takes what is no secret", () => {
    const substring = (name: string): boolean => /token|key|auth|pass|secret|cookie|session/i.test(name);
    expect(innocent.filter(substring).length).toBeGreaterThan(10);
    expect(innocent.filter((name) => redact({ [name]: "zebra" }).count > 0)).toEqual([]);
  });
});

describe("text made to be slow", () => {
  // Long texts of each, and of every beginning of a secret, is tried in redact.alone.test.ts.
  it("takes no longer than its length allows, whatever is repeated", () => {
    expect(slowPieces([...hostilePieces(), ...toldPieces], 200_000)).toEqual([]);
  });

  it("never makes it throw: deep, cyclic, widely shared or hostile values are closed instead", () => {
    let deep: Json = "x";
    for (let level = 0; level < 100_000; level += 1) deep = [deep];
    expect(JSON.stringify(redact(deep).value)).toContain("[redacted:too-deep]");
    const cyclic: Record<string, unknown> = { password: "zebra" };
    cyclic.self = cyclic;
    expect(JSON.stringify(redact(cyclic as Json).value)).not.toContain("zebra");
    const hostileValue = Object.defineProperty({}, "a", {
      enumerable: true,
      get: () => {
        throw new Error("no");
      },
    }) as Json;
    expect(redact(hostileValue)).toEqual({ value: "[redacted:unreadable]", count: 1 });
    const odd = [
      undefined,
      Number.NaN,
      1n,
      Symbol("a"),
      () => 1,
      new Date(0),
      new Map(),
      Object.create(null),
    ];
    for (const value of odd) expect(() => redact(value as unknown as Json)).not.toThrow();
    expect(() => redactText("\ud800 password=\udc00")).not.toThrow();
    const secrets = ["\ud800".repeat(6), createRandom(9)(10)];
    expect(() => createRedactor({ secrets })).not.toThrow();
  });
});
