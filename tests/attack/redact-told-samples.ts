/** Made-up secrets as people, programs and files tell them: without a sign, in other languages, on the next line, encoded, hidden. */
import { generateKeyPairSync } from "node:crypto";
import { words } from "../words.ts";
import { createRandom, type Sample, shapedSecrets } from "./redact-samples.ts";

const weak = ["hunter2", "Tr0ub4dor", "geheim!42"];

/** One sample for each of these and each of the weak passwords. */
const telling: Readonly<Record<string, (secret: string) => string>> = {
  "sql user": (s) => `ALTER USER bob WITH PASSWORD '${s}' VALID UNTIL 'infinity';`,
  "sql role": (s) => `CREATE ROLE app LOGIN ENCRYPTED PASSWORD '${s}';`,
  "sql lower case": (s) => `alter role app password '${s}'`,
  "sql identified": (s) => `CREATE USER 'app'@'%' IDENTIFIED BY '${s}';`,
  "sql identified, double quotes": (s) => `CREATE USER app IDENTIFIED BY "${s}" DEFAULT TABLESPACE x`,
  "sql identified, no quotes": (s) => `CREATE USER app IDENTIFIED BY ${s} ACCOUNT UNLOCK`,
  "sql identified with": (s) => `ALTER USER app IDENTIFIED WITH caching_sha2_password BY '${s}'`,
  "sql function": (s) => `SET PASSWORD FOR 'bob'@'h' = PASSWORD('${s}');`,
  define: (s) => `define('DB_PASSWORD', '${s}');`,
  "define, double quotes": (s) => `define( "AUTH_PASSWORD" , "${s}" );`,
  setenv: (s) => `setenv("PGPASSWORD", "${s}", 1);`,
  "set of a map": (s) => `form.set("password", "${s}")`,
  builder: (s) => `new Builder().user("bob").password("${s}").build()`,
  "set of an object": (s) => `source.setPassword("${s}");`,
  netrc: (s) => `machine api.example login bob password ${s}\n`,
  "netrc on lines": (s) => `machine api.example\n  login bob\n  password ${s}\n`,
  pgpass: (s) => `db.example:5432:shop:bob:${s}\n`,
  "pgpass with stars": (s) => `# all\n*:*:*:bob:${s}\n`,
  "pgpass in a command": (s) => `echo "db.example:5432:shop:bob:${s}" >> ~/.pgpass`,
  "html input": (s) => `<input type="password" name="p" value="${s}">`,
  "html input, other order": (s) => `<input value='${s}' id=x type='password'/>`,
  "html input by name": (s) => `<input type="text" name="db_password" value="${s}">`,
  "net configuration": (s) => `<add key="SmtpPassword" value="${s}" />`,
  "spring configuration": (s) => `<property name="password" value="${s}"/>`,
  "android string": (s) => `<string name="db_password">${s}</string>`,
  "html in json": (s) => JSON.stringify({ html: `<input type="password" value="${s}">` }),
  "next line": (s) => `db:\n  password:\n    ${s}\n  port: 1\n`,
  "next line, quoted": (s) => `const password =\n  "${s}";\n`,
  dialogue: (s) => `Login: bob\nPassword:\n${s}\nWelcome!\n`,
  question: (s) => `Enter new password:\n${s}\n`,
  block: (s) => `password: |\n  ${s}\nport: 1\n`,
  "folded block": (s) => `password: >-\n    ${s}\nport: 1\n`,
  "said is": (s) => `By the way, the password is ${s}.`,
  "said was": (s) => `His old password was ${s}, he says.`,
  "said, quoted": (s) => `password is "${s}" now`,
  "said to": (s) => `please set the password to ${s}`,
  "said in German": (s) => `Das Passwort ist ${s}`,
  "said in Spanish": (s) => `la contraseña es ${s}.`,
  "said in French": (s) => `Le mot de passe est ${s}`,
  "router user": (s) => `username bob password 0 ${s}\n`,
  "redis configuration": (s) => `requirepass=${s}\n`,
  "in a comparison": (s) => `if (password === "${s}") return true;`,
};

/** Each in a file, in JSON, in code, in a form and before a colon of another width. */
const names = words(`
  Passwort Kennwort DB_PASSWORT benutzerPasswort contraseña CONTRASEÑA contrasena wachtwoord lösenord salasana
  senha hasło heslo jelszó şifre пароль Пароль 密码 パスワード 비밀번호 mot_de_passe motDePasse motdepasse mdp
  passwd pswd psw userPwd passcode passphrase contrasen\u0303a
`);

export function toldSecrets(): Sample[] {
  const made: Sample[] = [];
  const add = (name: string, secret: string, text: string): void => void made.push({ name, secret, text });
  for (const secret of weak) {
    for (const [name, put] of Object.entries(telling)) add(name, secret, put(secret));
    for (const name of names) {
      add(`${name} in a file`, secret, `user=bob\n${name}=${secret}\n`);
      add(`${name} in YAML`, secret, `user: bob\n${name}: ${secret}\n`);
      add(`${name} in JSON`, secret, JSON.stringify({ a: 1, [name]: secret }));
      add(`${name} in code`, secret, `config["${name}"] = '${secret}';`);
      add(`${name} before a wide colon`, secret, `${name}：${secret}`);
    }
    add("mot de passe", secret, `Mot de passe : ${secret}`);
  }
  for (const [name, secret, text] of numbers()) add(name, secret, text);
  return made;
}

function numbers(): [name: string, secret: string, text: string][] {
  const cards = words("4111111111111111 5500005555555559 378282246310005 6011111111111117 3530111333300000");
  const grouped = (card: string, sign: string): string => card.replace(/\d{4}(?=\d)/g, `$&${sign}`);
  return [
    ...cards.flatMap((card): [string, string, string][] => [
      ["card alone", card, `paid with ${card}, thanks`],
      ["card in JSON", card, JSON.stringify({ a: card })],
      ["card as a number", card, `{"a":${card}}`],
    ]),
    ["card in groups", "4111 1111 1111 1111", `card ${grouped("4111111111111111", " ")} ok`],
    ["card with dashes", "5500-0055-5555-5559", `<td>${grouped("5500005555555559", "-")}</td>`],
    ["card by its name", "1234567812345678", "card_number=1234567812345678"],
    ["card by two words", "1234 5678 1234 5678", 'Card number: "1234 5678 1234 5678"'],
    ["pin", "4711", "pin=4711"],
    ["pin in YAML", "471199", "user_pin: 471199\n"],
    ["pin, said", "4711", "your PIN is 4711."],
    ["one-time code", "918273", "Your verification code is 918273"],
    ["ssn", "078-05-1120", "ssn: 078-05-1120"],
    ["ssn in JSON", "078051120", '{"ssn":"078051120"}'],
    ["ssn, said", "078-05-1120", "social security number is 078-05-1120"],
    ["ssn by three words", "078-05-1120", "Social security number: 078-05-1120"],
  ];
}

/** Known shapes and bodies of keys in other letters than their own. */
export function encodedSecrets(seed = 3): Sample[] {
  const r = createRandom(seed);
  const made: Sample[] = [];
  const add = (name: string, secret: string, text = secret): void => void made.push({ name, secret, text });
  const plain = shapedSecrets(seed).filter(({ secret }) => secret.length >= 20 && secret.length < 600);
  for (const { name, secret } of plain) {
    const bytes = Buffer.from(secret);
    add(`${name} in base64`, bytes.toString("base64"));
    add(`${name} in base64url`, bytes.toString("base64url"));
    add(`${name} in hex`, bytes.toString("hex"));
    add(`${name} in HEX`, bytes.toString("hex").toUpperCase());
  }
  const line = Buffer.from(`DB_PASSWORD=hunter2\nDB_USER=bob\n`).toString("base64");
  add("a password in base64", line);
  add("base64 twice", Buffer.from(line).toString("base64"));
  add("in a path", line, `https://x.example/v1/${line}`);
  add("after an escape", line, `a\\n${line}`);
  const long = Buffer.from(`${"a line without anything in it\n".repeat(8)}password=hunter2\n`).toString(
    "base64",
  );
  add("in lines", long.slice(76, 152), long.replace(/.{76}/g, "$&\n"));
  for (const [name, body] of Object.entries(keyBodies())) {
    const lines = body.match(/.{1,64}/g) ?? [];
    add(`${name} body`, lines[1] ?? body, lines.join("\n"));
    add(`${name} body in one line`, body);
    add(`${name} body in a string`, lines[1] ?? body, `key: "${lines.join("\\n")}\\n"`);
    add(`${name} body, indented`, lines[1] ?? body, `x:\n    ${lines.join("\n    ")}\ny: 1\n`);
    const dashes = "-".repeat(5);
    add(
      `${name} end`,
      lines.at(-1) ?? "",
      `${lines.slice(-2).join("\n")}\n${dashes}END PRIVATE KEY${dashes}\n`,
    );
  }
  const part = (length: number): string => r(length);
  const head = Buffer.from('{"alg":"RSA-OAEP","enc":"A256GCM"}').toString("base64url");
  const direct = Buffer.from('{"alg":"dir","enc":"A128CBC-HS256"}').toString("base64url");
  add("jwe", [head, part(342), part(16), part(60), part(22)].join("."));
  add("direct jwe", [direct, "", part(22), part(64), part(22)].join("."));
  add("square", ["EA", "AA", "F", r(59)].join(""));
  add("square sandbox", ["sq0", "csp-", r(43)].join(""));
  add("vercel", ["vc", "p_", r(24)].join(""));
  return made;
}

function keyBodies(): Record<string, string> {
  const body = (pem: string): string => pem.replace(/-----[^-]+-----|\s/g, "");
  const rsa = generateKeyPairSync("rsa", { modulusLength: 1024 }).privateKey;
  const ec = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
  const ed = generateKeyPairSync("ed25519").privateKey;
  const pem = (key: typeof rsa, type: "pkcs1" | "pkcs8" | "sec1"): string =>
    body(key.export({ type, format: "pem" } as { type: "pkcs8"; format: "pem" }).toString());
  return {
    "rsa pkcs1": pem(rsa, "pkcs1"),
    "rsa pkcs8": pem(rsa, "pkcs8"),
    "ec sec1": pem(ec, "sec1"),
    "ec pkcs8": pem(ec, "pkcs8"),
    ed25519: pem(ed, "pkcs8"),
  };
}

/** Characters that nobody sees, inside of what would be known without them. */
export function hiddenSecrets(seed = 4): Sample[] {
  const signs = words("\u200b \u200d \u2060 \ufeff \u00ad \u{e0041} \\u200b &#8203; %E2%80%8B");
  return shapedSecrets(seed)
    .filter(({ secret }) => !secret.includes("\n"))
    .flatMap(({ name, secret }, index) => {
      const sign = signs[index % signs.length] ?? "";
      const hidden = [2, 3, 8].map((at) => secret.slice(0, at) + sign + secret.slice(at));
      return hidden.map((text) => ({
        name: `${name} with ${JSON.stringify(sign)}`,
        secret: secret.slice(10),
        text,
      }));
    });
}

/** Nearly the same, and no secret. */
export const harmless: readonly string[] = [
  ...["pin: 4", "gpio_pin = 17", "pin_count: 40", "const pin = board.pins[3];", "password: string;"],
  ...["password is required", "The password is invalid.", "the password is wrong", "token is expired"],
  ...["Your password was changed.", "password is hashed with sha256", "a workflow is identified by its name"],
  ...["Unexpected token '<' in JSON", "SyntaxError: Unexpected token 'export'", 'jwt: "JWT"'],
  ...['kubectl: secrets "db-config" not found', '"password " + name + " is wrong"'],
  ...['<input type="password" placeholder="Your password">', '<input type="password" value="">'],
  ...['<input type="password" value={password}>', '<input name="email" value="bob@x.example">'],
  ...['["username", "password", "email"]', 'setError("password", message)', "if password:\n    return True"],
  ...["password:\n  type: string\n  minLength: 8", "secrets:\n  - db_password\n  - api_key"],
  ...["if (apiKey === undefined) return;", 'key === "dangerouslySetInnerHTML2"'],
  ...["typeof apiKey === 'function'", "exports.nextToken = tokens.nextToken;", "src/login-token.ts:42:7"],
  ...["PWD=/home/bob/project", "image token:latest", `integrity sha512-${"aB3+".repeat(21)}aB==`],
  ...[
    "order 4111111111111112 was paid",
    "at 1750000000000 and 1750000000000000000",
    "id 4111 1111 1111 1112",
  ],
  ...["2001:1234:5678:9abc:def0:1234:5678:9abc", "src/a.c:1234:5: error: x", "10.0.0.1:5432 is up"],
  ...words("QWxsIHdvcmsgYW5kIG5vIHBsYXkgbWFrZXMgSmFjayBhIGR1bGwgYm95Lg=="),
  ...words("MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAu1SU1LfVLPHCozMxH2Mo"),
  "a\u200bb and an emoji \u{1f468}\u200d\u{1f469}",
];

/** More pieces that must not make it slow. */
export const toldPieces: readonly string[] = [
  ...["PASSWORD '", "IDENTIFIED BY ", "identified with a ", "password is ", "password is a1 "],
  ...["password password ", "login a password ", "login ", "machine ", "username a secret "],
  ...["<a ", "<a b", "<input type=password ", '<input name="password" value="', '<a name="key">'],
  ...["password:\n", "password:\n ", " password: |\n", "password: |\n  a\n", "contraseña: ", "mot de passe "],
  ...[`${"QUFB".repeat(16)}\n`, `${"A".repeat(64)}\n`, "4111 1111 ", "4111111111111111 ", "card number: "],
  ...["-----END PRIVATE KEY-----\n", "A\n-----END PRIVATE KEY-----"],
  ...words(`
    define(' define('password',' .password(" a:5432: a:5432:b:c: *:*: QUFB QUFBQUFBQUFB/ UEFTU1dPUkQ9
    cGFzc3dvcmQ9aHVudGVyMg== MIIE MIIEvQIBADANBg 4142 30820201000201 4111 4- \u200b a\u200b \\u200b &shy;
    %E2%80%8B пароль= пароль 密码： ñ
  `),
];
