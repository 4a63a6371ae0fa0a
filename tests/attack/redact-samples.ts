/** Made-up secrets, put together while the tests run so that no file of the project holds anything that looks like one. */
import { words } from "../words.ts";

export interface Sample {
  readonly name: string;
  /** What must not be seen again. */
  readonly secret: string;
  /** Where it stands. */
  readonly text: string;
}

const digits = "0123456789";
const lower = "abcdefghijklmnopqrstuvwxyz";
const upper = lower.toUpperCase();
const all = lower + upper + digits;
const base32 = `${upper}234567`;
const hex = "0123456789abcdef";

/** Always the same sequence, so that a failure can be repeated. */
export function createRandom(seed: number): (length: number, alphabet?: string) => string {
  let state = seed >>> 0 || 1;
  const next = (): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state;
  };
  return (length, alphabet = all) =>
    Array.from({ length }, (_, index) =>
      // At least one digit early on, as nearly every generated key has.
      index === 2 && alphabet === all ? "7" : alphabet[next() % alphabet.length],
    ).join("");
}

/** Secrets that can be known by themselves, wherever they stand. */
export function shapedSecrets(seed = 1): Sample[] {
  const r = createRandom(seed);
  const uuid = (): string => [8, 4, 4, 4, 12].map((length) => r(length, hex)).join("-");
  const base64url = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const pieces: Readonly<Record<string, readonly string[]>> = {
    aws: ["AK", "IA", r(16, base32)],
    "aws session": ["AS", "IA", r(16, base32)],
    "aws bedrock": ["AB", "SK", r(110)],
    github: ["gh", "p_", r(36)],
    "github oauth": ["gh", "o_", r(36)],
    "github app": ["gh", "s_", r(36)],
    "github fine": ["github", "_pat_", r(22), "_", r(59)],
    gitlab: ["gl", "pat-", r(20)],
    "gitlab deploy": ["gl", "dt-", r(20)],
    "gitlab runner": ["GR13", "48941", r(20)],
    "gitlab ci": ["gl", "cbt-", r(5), "_", r(20)],
    slack: ["xo", "xb-", r(12, digits), "-", r(12, digits), "-", r(24)],
    "slack user": ["xo", "xp-", r(12, digits), "-", r(12, digits), "-", r(32)],
    "slack app": ["xa", "pp-1-", r(10), "-", r(13, digits), "-", r(32)],
    "slack hook": ["hooks.sl", "ack.com/services/T", r(8), "/B", r(8), "/", r(24)],
    stripe: ["sk", "_live_", r(24)],
    "stripe restricted": ["rk", "_test_", r(24)],
    "stripe hook": ["wh", "sec_", r(32)],
    openai: ["sk", "-", r(20), "T3Blbk", "FJ", r(20)],
    "openai project": ["sk", "-proj-", r(70)],
    anthropic: ["sk", "-ant-api03-", r(93), "AA"],
    openrouter: ["sk", "-or-v1-", r(64, hex)],
    google: ["AI", "za", r(35)],
    "google oauth": ["GOC", "SPX-", r(28)],
    "google access": ["ya", "29.", r(60)],
    npm: ["np", "m_", r(36)],
    pypi: ["py", "pi-", "AgEIcHlwaS5vcmc", r(70)],
    sendgrid: ["S", "G.", r(22), ".", r(43)],
    twilio: ["S", "K", r(32, hex)],
    telegram: [r(9, "123456789"), ":A", "A", r(33)],
    discord: ["M", r(23), ".", r(6), ".", r(27)],
    "discord hook": ["disc", "ord.com/api/webhooks/", r(18, digits), "/", r(68)],
    azure: [r(3, lower), "8Q", "~", r(34)],
    "azure storage": [r(86), "=="],
    huggingface: ["h", "f_", r(34)],
    digitalocean: ["do", "p_v1_", r(64, hex)],
    shopify: ["shp", "at_", r(32, hex)],
    square: ["sq0", "atp-", r(22)],
    facebook: ["EA", "AC", r(100)],
    mailgun: ["ke", "y-", r(32, hex)],
    "mailgun new": [r(32, hex), "-", r(8, hex), "-", r(8, hex)],
    mailchimp: [r(32, hex), "-us", "12"],
    sendinblue: ["xke", "ysib-", r(64, hex), "-", r(16)],
    jwt: [base64url({ alg: "HS256" }), ".", base64url({ sub: "someone", n: 1 }), ".", r(43)],
    atlassian: ["AT", "ATT3", r(186)],
    airtable: ["pa", "t", r(14), ".", r(64, hex)],
    linear: ["lin", "_api_", r(40)],
    notion: ["nt", "n_", r(46)],
    "notion old": ["sec", "ret_", r(43)],
    figma: ["fi", "gd_", r(40)],
    grafana: ["gl", "sa_", r(32), "_", r(8, hex)],
    newrelic: ["NR", "AK-", r(27, upper + digits)],
    sentry: ["sn", "tryu_", r(64, hex)],
    doppler: ["dp", ".pt.", r(43)],
    vault: ["hv", "s.", r(90)],
    terraform: [r(14), ".atl", "asv1.", r(67)],
    databricks: ["da", "pi", r(32, hex)],
    docker: ["dckr", "_pat_", r(27)],
    rubygems: ["ruby", "gems_", r(48, hex)],
    nuget: ["oy", "2", r(43, lower + digits)],
    postman: ["PM", "AK-", r(24, hex), "-", r(34, hex)],
    planetscale: ["psc", "ale_tkn_", r(43)],
    supabase: ["sb", "p_", r(40, hex)],
    netlify: ["nf", "p_", r(36)],
    fly: ["fo", "1_", r(43)],
    heroku: ["HR", "KU-", r(60)],
    replicate: ["r", "8_", r(37)],
    groq: ["gs", "k_", r(52)],
    perplexity: ["pp", "lx-", r(48)],
    xai: ["xa", "i-", r(80)],
    langsmith: ["ls", "v2_pt_", r(32, hex), "_", r(10, hex)],
    pinecone: ["pc", "sk_", r(60)],
    nvidia: ["nv", "api-", r(64)],
    tailscale: ["tsk", "ey-auth-", r(12), "-", r(32)],
    cloudflare: ["v1", ".0-", r(24, hex), "-", r(146, hex)],
    clojars: ["CLO", "JARS_", r(60, lower + digits)],
    dynatrace: ["dt0", "c01.", r(24, upper + digits), ".", r(64, upper + digits)],
    duffel: ["duff", "el_live_", r(43)],
    easypost: ["EZ", "AK", r(54)],
    flutterwave: ["FLW", "SECK_TEST-", r(32, hex), "-X"],
    frameio: ["fi", "o-u-", r(64)],
    infracost: ["ic", "o-", r(32)],
    launchdarkly: ["sd", "k-", uuid()],
    plaid: ["acc", "ess-production-", uuid()],
    openshift: ["sha", "256~", r(43)],
    prefect: ["pn", "u_", r(36)],
    pulumi: ["pu", "l-", r(40, hex)],
    readme: ["rd", "me_", r(70, lower + digits)],
    scalingo: ["tk", "-us-", r(48)],
    settlemint: ["sm", "_pat_", r(16)],
    shippo: ["shi", "ppo_live_", r(40, hex)],
    sourcegraph: ["sg", "p_", r(16, hex), "_", r(40, hex)],
    tencent: ["AK", "ID", r(32)],
    adobe: ["p8", "e-", r(32)],
    age: ["AGE-SEC", "RET-KEY-1", r(58, "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L")],
    alibaba: ["LT", "AI", r(20)],
    artifactory: ["AK", "Cp", r(69)],
    onepassword: ["A", "3-", [6, 11, 5, 5, 5].map((length) => r(length, upper)).join("-")],
    octopus: ["AP", "I-", r(26, upper + digits)],
    typeform: ["tf", "p_", r(44), "_", r(14)],
    buildkite: ["bk", "ua_", r(40, hex)],
    harness: ["pa", "t.", r(22), ".", r(24, hex), ".", r(20)],
    contentful: ["CF", "PAT-", r(43)],
    mapbox: ["p", "k.eyJ", r(60), ".", r(22)],
    maxmind: [r(6), "_", r(29), "_m", "mk"],
    mws: ["am", "zn.mws.", uuid()],
    posthog: ["ph", "x_", r(43)],
    resend: ["r", "e_", r(8), "_", r(24)],
    yandex: ["AQ", "VN", r(38)],
    authress: ["s", "c_", r(20), ".", r(4), ".acc-", r(12), ".", r(40)],
    gocardless: ["li", "ve_", r(40)],
    intra42: ["s-s4", "t2ud-", r(64, hex)],
    defined: ["dnk", "ey-", r(26), "-", r(52)],
    circleci: ["CCI", "PAT_", r(22), "_", r(40, hex)],
    "private key": pem("RSA PRIVATE KEY", r(600)),
    "pgp key": pem("PGP PRIVATE KEY BLOCK", r(300)),
  };
  return Object.entries(pieces).map(([name, parts]) => ({
    name,
    secret: parts.join(""),
    text: parts.join(""),
  }));
}

function pem(label: string, body: string): string[] {
  const dashes = "-".repeat(5);
  return [dashes, "BEGIN ", label, dashes, "\n", body, "\n", dashes, "END ", label, dashes];
}

/** Secrets that only their surroundings give away. */
export function surroundedSecrets(seed = 2): Sample[] {
  const r = createRandom(seed);
  const weak = ["hunter2", "p@ss,w;rd&1", "Tr0ub4dor", "letmein"];
  const made: Sample[] = [];
  const add = (name: string, secret: string, text: string): void => void made.push({ name, secret, text });
  for (const [index, secret] of weak.entries()) {
    add(`json ${index}`, secret, JSON.stringify({ user: "bob", password: secret, next: 1 }));
    add(`json in json ${index}`, secret, JSON.stringify(JSON.stringify({ db_password: secret })));
    add(`python ${index}`, secret, `{'user': 'bob', 'passwd': '${secret}'}`);
    add(`env ${index}`, secret, `export PGPASSWORD='${secret}' && psql`);
    add(`yaml ${index}`, secret, `db:\n  user: bob\n  password: ${secret}\n  port: 1\n`);
    add(`ini ${index}`, secret, `[db]\npassword = ${secret}\n`);
    add(`flag ${index}`, secret, `deploy --password '${secret}' --verbose`);
    add(`flag with equals ${index}`, secret, `deploy --client-secret="${secret}"`);
    add(`xml ${index}`, secret, `<user>bob</user><password>${secret}</password>`);
    add(`code ${index}`, secret, `config["smtp_password"] = "${secret}";`);
    add(`curl ${index}`, secret, `curl -u 'bob:${secret}' https://api.example/`);
    add(
      `basic ${index}`,
      Buffer.from(`bob:${secret}`).toString("base64"),
      `-H "Authorization: Basic ${Buffer.from(`bob:${secret}`).toString("base64")}"`,
    );
  }
  add("env unquoted", "hunter2", "DB_PASSWORD=hunter2 npm start");
  add("mysql", "hunter2", "mysqldump -u root -phunter2 shop");
  add("sshpass", "hunter2", "sshpass -p hunter2 ssh host");
  add("redis-cli", "hunter2", "redis-cli -h host -a hunter2 ping");
  add("docker login", "hunter2", "docker login -u bob -p hunter2 registry.example");
  for (const scheme of ["https", "ftp", "postgres", "mongodb+srv", "redis", "amqp", "mysql", "ssh"]) {
    add(`${scheme} url`, "hunter2", `connecting to ${scheme}://bob:hunter2@host.example:1234/path`);
  }
  add("raw database url", "hu/nt?er#2", "DATABASE=postgresql://bob:hu/nt?er#2@host:5432/shop");
  add("at sign in url", "hun@ter2", "https://bob:hun@ter2@host.example/");
  const [token, key] = [r(40), r(48)];
  add("bearer", token, `> Authorization: Bearer ${token}\r\n> Accept: */*`);
  add("bearer alone", token, `sent "bearer ${token}" upstream`);
  add("encoded bearer", token, `header=Bearer%20${token}`);
  add("custom header", token, `X-Auth-Token: ${token}\n`);
  add("api key header", token, `curl -H 'x-api-key: ${token}' https://x.example`);
  add("cookie header", token, `Cookie: theme=dark; sid=${token}; lang=en\r\n`);
  add("set-cookie header", token, `set-cookie: connect.sid=${token}; Path=/; HttpOnly\n`);
  add("query", token, `GET /v1/items?access_token=${token}&page=2`);
  add("signed url", token, `https://b.example/x?se=2030&sig=${token}`);
  add(
    "connection string",
    key,
    `Endpoint=sb://x/;SharedAccessKeyName=all;SharedAccessKey=${key}=;EntityPath=q`,
  );
  add("account key", key, `AccountName=shop;AccountKey=${key};EndpointSuffix=core`);
  add("go", key, `apiKey := "${key}"`);
  add("ruby", key, `:secret_key_base => "${key}"`);
  add("npmrc", key, `//registry.example/:_authToken=${key}`);
  add("netrc", "hunter2", "machine h login bob password=hunter2");
  for (const vendor of words(`
    adafruit algolia asana bitbucket cloudflare codecov coinbase confluent contentful datadog dropbox etsy fastly
    finnhub heroku hubspot intercom jfrog kraken kucoin linkedin looker mattermost messagebird nytimes okta
    rapidapi sendbird snyk sonar squarespace sumo travis trello twitch twitter zendesk
  `)) {
    const secret = r(32, lower + digits);
    add(`${vendor} assignment`, secret, `${vendor}_client = "${secret}"`);
  }
  return made;
}

/** Ordinary text and values that must stay as they are. */
export const ordinary: readonly string[] = [
  ...["tokens_used: 500", "max_tokens=4096", "total_tokens: 12, prompt_tokens: 3", "author_token_count: 7"],
  ...["keyboard: us", "author: bob", "authority=x", "monkey=banana", "secretary: Ann", "passport: 123"],
  ...["bypass=true", "compass: north", "sort_key=name", "primary_key: id", "public_key: none"],
  ...["cache_key: users/12", "key: value", "session_id: abc", "tokenizer: bpe", "cookie_policy: strict"],
  ...["the token was rejected", "Invalid token: unexpected end of input", "password: string; token: string"],
  ...["const token = getToken();", "const password = process.env.PASSWORD;", "password = os.environ['X']"],
  ...["token: $GITHUB_TOKEN", `password: ${"$"}{DB_PASSWORD}`, `Authorization: Bearer ${"$"}{TOKEN}`],
  ...["password=<your password>", "password: ***", "password_min_length: 12", "secret_name=db/prod"],
  ...["basic information about it", "bearer of news", "token_type=bearer expires_in=3600"],
  ...["https://host.example:8080/a@b", "https://example.com/?email=a@b.example"],
  ...["commit 3f786850e387550fdab836ed7e6dc881de23001b", "id: 550e8400-e29b-41d4-a716-446655440000"],
  ...["task-management-for-developers-and-more-of-it", "sk-button-container-outer-wrapper"],
  ...["path/to/some/file.ts:42:7", "docker run -u 1000:1000 image", "ls -la && git commit -m 'keys: fix'"],
  "sha512-abc integrity",
];

/** Pieces that, repeated, make careless patterns read the same text again and again. */
export function hostilePieces(): string[] {
  const dashes = "-".repeat(5);
  return [
    ...words('= : => := == ::= " \' ` \\ \\" [ ] < > </ <a> - -- --a --token --password= @ :// ://a: ://a:b'),
    ...words(
      ":///@ a=a a:a a= key= token= token=' password=\" password: redis://a: redis://a:b@ postgres://",
    ),
    ...words(`
      eyJa eyJ- eyJ_ eyJ. eyJaaaaaaaa. eyJaaaaaaaa.aaaa. a. a- a_ M Ma MaMa- 0 0f 0:AA aQ~ 1Q~ Q~ A AA A/
      passwordpassword secret_ token- A_a passphrase: authorization: [redacted: [redacted:a]
      password=[redacted:a] password=, password=a, password=a,b= <password> <password>a {{ key=A1b2 sig=%2F
      \\u0041 %41 é \u{1F600} \ud800
    `),
    ...[`${dashes}BEGIN RSA PRIVATE KEY${dashes}`, `${dashes}BEGIN `, "BEGIN PRIVATE KEY", `${dashes}END`],
    ...["bearer ", "bearer a", "basic YWJj", "basic ", "token token ", "token=${", "token: $", "a b "],
    ...["curl -u ", "curl curl ", " -u a", " -u a:", "mysql ", "mysql -p", "docker login ", "redis-cli "],
    ...["redis-cli -a", "sshpass -p", "\n", " ", "\t", "cookie: ", "authorization: a"],
  ];
}
