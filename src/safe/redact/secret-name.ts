/** Decides from a name alone (`clientSecret`, `x-api-key`, `max_tokens`) whether what it names is a secret. */

export interface SecretName {
  readonly kind: string;
  /**
   * `always`: the value is a secret whatever it looks like, numbers too. `text`: any text is.
   * `random`: only a value that looks like a generated key is.
   */
  readonly when: "always" | "text" | "random";
}

/** Remembers answers, because the same few names come back in every record. */
export function createSecretNames(): (name: string) => SecretName | undefined {
  const known = new Map<string, SecretName | undefined>();
  return (name) => {
    if (known.has(name)) return known.get(name);
    const found = secretName(name);
    if (known.size >= 4_000) known.clear();
    if (name.length <= 128) known.set(name, found);
    return found;
  };
}

export function secretName(name: string): SecretName | undefined {
  const words = wordsOf(name.length > 200 ? name.slice(-200) : name);
  let weak: SecretName | undefined;
  for (const [index, word] of words.entries()) {
    const found = judgeWord(word, words, index);
    if (found === undefined) continue;
    if (found.when !== "random") return found;
    weak = found;
  }
  return weak;
}

/** `clientSecret_v2`, `CLIENT-SECRET` and `client.secret` all become `client secret`. */
function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .map((word) => word.replace(/\d+$/, ""))
    .filter((word) => word !== "");
}

function judgeWord(word: string, words: readonly string[], index: number): SecretName | undefined {
  // `password_min_length`, `token_type`, `cookie_policy` describe a secret; they are none.
  const describes = words.slice(index + 1).some((later) => describing.has(later));
  const before = words[index - 1] ?? "";
  const isLast = index === words.length - 1;

  if (/passphrases?$$/.test(word)) return describes ? undefined : { kind: "passphrase", when: "text" };
  if (passwordEnding.test(word)) return describes ? undefined : { kind: "password", when: "always" };
  if (word === "secret" && words[index + 1] === "id") return { kind: "secret", when: "text" };
  const ending = textEnding.exec(word);
  if (ending !== null && !describes) return { kind: kindOfEnding(ending[0]), when: "text" };
  if (/tokens?$/.test(word) && !describes) {
    return word === "tokens" && counting.has(before) ? undefined : { kind: "token", when: "text" };
  }
  if (word === "key" || word === "keys") {
    if (notSecretKeys.has(before)) return undefined;
    if (secretKeys.has(before) && !describes) return { kind: "api-key", when: "text" };
    return isLast ? { kind: "key", when: "random" } : undefined;
  }
  if (phrases.has(`${before} ${word}`)) return { kind: "secret", when: "text" };
  if (isLast && lastWords.has(word) && !(word === "pass" && notPasswords.has(before))) {
    return { kind: word === "pass" ? "password" : word, when: "text" };
  }
  if (randomWords.has(word)) return { kind: "key", when: "random" };
  return undefined;
}

const set = (words: string): ReadonlySet<string> => new Set(words.split(" "));

const passwordEnding = /(?:passwords?|passwds?|pwd|passcode|^otp|^totp|^cvv|^cvc)$/;
const textEnding =
  /(?:secrets?|credentials?|^creds?|^authorization|cookies?|^jwt|^bearer|api_?keys?|(?:access|secret|private|auth|signing|encryption|account|master)keys?|sessid|jsessionid|^connstr|connectionstring)$/;
const lastWords = set("auth pass session pat privkey");
const randomWords = set(
  "sid sig signature dsn salt seed sas adafruit adobe airtable algolia alibaba asana atlassian beamer bitbucket bittrex " +
    "cloudflare codecov cohere coinbase confluent confluence contentful databricks datadog discord droneci dropbox etsy " +
    "facebook fastly finicity finnhub flickr freshbooks gitter heroku hubspot intercom jfrog jira kraken kucoin " +
    "launchdarkly linear linkedin lob looker mailchimp mailgun mapbox mattermost meraki messagebird netlify newrelic " +
    "nytimes okta openai plaid privateai rapidapi sendbird sentry snyk sonar squarespace sumo telegram travis trello " +
    "twitch twitter yandex zendesk zoom",
);
const phrases: ReadonlySet<string> = new Set([
  "code verifier",
  "client assertion",
  "connection string",
  "saml response",
  "recovery code",
  "recovery codes",
  "backup codes",
  "mfa code",
  "verification code",
]);
const secretKeys = set(
  "api app application secret private priv access encryption encrypt decryption signing sign master account ssh auth service " +
    "shared session hmac aes rsa client license subscription admin root consumer deploy webhook gpg pgp jwt cipher crypto " +
    "encoded wallet aws azure stripe",
);
const notSecretKeys = set(
  "public pub primary foreign sort partition cache object idempotency host hot map react row group index unique natural",
);
const notPasswords = set("test tests first second single multi one two render build did");
const counting = set(
  "max min input output total completion prompt num number n used cached cache reasoning thinking context remaining budget per " +
    "of stop special usage text audio image accepted rejected prediction read creation estimated avg average sum new count " +
    "generated limit bonus",
);
const describing = set(
  "policy length len min max minimum maximum count counts counter limit limits used usage budget type types name names id ids url uri " +
    "endpoint expiry expires expire expiration expired ttl age rotation version path paths file filename dir directory ref " +
    "reference arn field fields label hint placeholder required optional enabled disabled valid invalid validity present " +
    "exists strength reset changed change updated created at on in format prefix scope scopes algorithm alg status state size " +
    "window rate price cost manager provider per consent banner domain samesite secure httponly header headers description " +
    "title help prompt rules rule regex pattern schema error errors message index position izer info metadata kind lifetime " +
    "supported methods method refresh",
);

function kindOfEnding(ending: string): string {
  if (ending.startsWith("cookie")) return "cookie";
  if (ending.startsWith("cred")) return "credentials";
  if (ending.includes("key")) return "api-key";
  if (ending === "authorization" || ending === "bearer" || ending === "jwt") return ending;
  return "secret";
}
