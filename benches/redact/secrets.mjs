// Made-up secrets of every provider that the preset of secretlint knows, put together at run time: no file holds one.

import { generateKeyPairSync } from "node:crypto";

const digits = "0123456789";
const lower = "abcdefghijklmnopqrstuvwxyz";
const upper = lower.toUpperCase();
const letters = lower + upper;
const all = letters + digits;
const hex = `${digits}abcdef`;

/** `{ rule, name, secret, core, named, whole, file }`: `core` must be gone; `named`: only its name tells; `whole`: it is a text of its own. */
export function secretsOf(random) {
  const r = (length, alphabet = all) => random.text(length, alphabet);
  const url = (length) => r(length, `${all}_-`);
  const made = [];
  const add = (rule, name, secret, more = {}) => made.push({ rule, name, secret, core: secret, ...more });

  add("aws", "AWS_SECRET_ACCESS_KEY", r(40, `${all}/+`).replace(/^[/+]|[/+]$/g, "a"), { named: true });
  for (const kind of ["p", "o", "u", "s", "r"]) add("github", "GH_VALUE", `gh${kind}_${r(36)}`);
  add("github", "GH_VALUE", `github_${"pat"}_${r(22)}_${r(59)}`);
  add("gitlab", "GL_VALUE", `gl${"pat"}-${url(20)}`);
  add("slack", "SLACK_VALUE", `xo${"xb"}-${r(12, digits)}-${r(12, digits)}-${r(24)}`);
  add("slack", "SLACK_VALUE", `xo${"xp"}-${r(11, digits)}-${r(12, digits)}-${r(12, digits)}-${r(32, hex)}`);
  add("slack", "SLACK_VALUE", `xa${"pp"}-1-A${r(10, upper + digits)}-${r(13, digits)}-${r(64, hex)}`);
  for (const kind of ["a", "o", "r"])
    add("slack", "SLACK_VALUE", `xo${"x"}${kind}-2-${r(12, digits)}-${r(32)}`);
  const hook = [`T${r(8, upper + digits)}`, `B${r(8, upper + digits)}`, r(24)];
  add("slack", "HOOK", `https://hooks.slack.com/services/${hook.join("/")}`, { core: hook[2] });
  add("npm", "NPM_VALUE", `np${"m"}_${r(36)}`);
  add("npm", "registry", `//registry.example/:_auth${"Token"}=${r(36)}`, { file: ".npmrc", whole: true });
  const oauth = r(40, hex);
  add("npm", "repository", `https://${oauth}:x-oauth-basic@github.com/owner/name.git`, {
    file: "package.json",
    core: oauth,
  });
  for (const scheme of ["https", "ftp"]) {
    const password = `${r(3, lower)}${r(9)}`;
    add("basicauth", "ENDPOINT", `${scheme}://deploy:${password}@files.intern.net/x`, { core: password });
  }
  for (const scheme of ["mongodb", "mongodb+srv", "mysql", "mysqlx", "postgres", "postgresql"]) {
    const password = `${r(4, lower)}${r(10)}`;
    add("database-connection-string", "DB", `${scheme}://shop:${password}@db.intern.net:5432/shop`, {
      core: password,
    });
  }
  const odd = `${r(4, lower)}$!,;${r(6)}`;
  add("database-connection-string", "DB", `jdbc:mysql://shop:${odd}@db.intern.net:3306/shop`, { core: odd });
  add("sendgrid", "MAIL_VALUE", `S${"G"}.${url(22).replaceAll("-", "a")}.${url(43).replaceAll("-", "a")}`);
  for (const kind of ["ppa", "ca", "at", "ss"])
    add("shopify", "SHOP_VALUE", `sh${kind === "ppa" ? "" : "p"}${kind}_${r(32, hex)}`);
  add("openai", "AI_VALUE", `s${"k"}-${r(20)}T3Blbk${"FJ"}${r(20)}`);
  for (const kind of ["proj", "svcacct", "admin"]) {
    add("openai", "AI_VALUE", `s${"k"}-${kind}-${url(73)}aT3Blbk${"FJ"}${url(73)}a`);
    add("openai", "AI_VALUE", `s${"k"}-${kind}-${url(57)}aT3Blbk${"FJ"}${url(57)}a`);
  }
  add("anthropic", "AI_VALUE", `s${"k"}-ant-api03-${url(93)}AA`);
  add("groq", "AI_VALUE", `gs${"k"}_${r(52)}`);
  add("huggingface", "AI_VALUE", `h${"f"}_${r(34, letters)}`);
  add("linear", "LIN_VALUE", `lin_${"api"}_${r(40)}`);
  add("notion", "NOTE_VALUE", `nt${"n"}_${r(11, digits)}${r(35)}`);
  add("grafana", "G_VALUE", `gl${"c"}_${r(80, `${all}+/`)}=`);
  add("grafana", "G_VALUE", `gl${"sa"}_${r(32)}_${r(8, hex)}`);
  add("1password", "OP_VALUE", `op${"s"}_${onePassword(r)}`);
  add("hashicorp-vault", "V_VALUE", `hv${"s"}.${url(95)}`);
  add("hashicorp-vault", "V_VALUE", `hv${"b"}.${url(150)}`);
  add("hashicorp-vault", "V_VALUE", `hv${"r"}.${url(95)}`);
  for (const kind of ["p", "i", "a", "r", "k"])
    add("vercel", "VC_VALUE", `vc${kind}_${r(24 + 8 * random.below(4))}`);
  add("databricks", "DB_VALUE", `dap${"i"}${r(32, hex)}${random.below(2) ? "-3" : ""}`);
  add("docker", "HUB_VALUE", `dckr_${"pat"}_${url(27)}`);
  add("figma", "FIG_VALUE", `fig${"d"}_${url(40)}`);
  for (const pem of privateKeys(r)) add("privatekey", "PEM", pem, { core: pem.split("\n")[2], whole: true });
  const account = serviceAccount(r);
  add("gcp", "ACCOUNT", account.text, { file: "account.json", core: account.core, whole: true });
  return made;
}

function onePassword(r) {
  const token = { email: "a@b.example", secretKey: `A3-${r(6, upper)}`, srpX: r(64, hex), note: "" };
  // Its end is always the same: the note makes the length fit.
  for (;;) {
    const text = Buffer.from(JSON.stringify(token)).toString("base64");
    if (text.endsWith("fQ==") || text.endsWith("fQ")) return text;
    token.note += "x";
  }
}

/** Made once: what matters is that they are real ones. */
const pems = [
  ["rsa", { modulusLength: 1024 }, "pkcs1"],
  ["rsa", { modulusLength: 1024 }, "pkcs8"],
  ["ec", { namedCurve: "P-256" }, "sec1"],
  ["ec", { namedCurve: "P-256" }, "pkcs8"],
].map(([kind, options, type]) =>
  generateKeyPairSync(kind, options).privateKey.export({ type, format: "pem" }).trim(),
);

function privateKeys(r) {
  const body = `b3BlbnNzaC1rZXktdjE${r(45)}\n${r(64)}\n${r(64)}\n${r(64)}\n${r(20)}`;
  const dashes = "-".repeat(5);
  return [
    ...pems,
    `${dashes}BEGIN OPENSSH PRIVATE KEY${dashes}\n${body}\n${dashes}END OPENSSH PRIVATE KEY${dashes}`,
  ];
}

function serviceAccount(r) {
  const account = {
    type: "service_account",
    project_id: "shop",
    private_key_id: r(40, hex),
    private_key: `${pems[1]}\n`,
    client_email: "shop@shop.iam.example",
  };
  return { text: JSON.stringify(account, null, 2), core: pems[1].split("\n")[2] };
}
