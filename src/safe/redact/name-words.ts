/** The words that names of secrets are made of, in the languages in which people name them. */
import { wordSet } from "../../core/text/words.ts";
import { anyOf } from "./any-of.ts";
import { fold } from "./fold-letters.ts";

export const passwordEnding =
  /(?:passwords?|passwds?|pwd|pswd|^psw|^pword|passwrd|passcode|passkey|requirepass|masterauth|^otp|^totp|^cvv|^cvc)$/;
export const textEnding =
  /(?:secrets?|credentials?|^creds?|^authorization|cookies?|^jwt|^bearer|api_?keys?|(?:access|secret|private|auth|signing|encryption|account|master)keys?|sessid|jsessionid|^connstr|connectionstring)$/;
export const lastWords = wordSet("auth pass pw session pat privkey");
export const randomWords = wordSet(
  "sid sig signature dsn salt seed sas adafruit adobe airtable algolia alibaba asana atlassian beamer bitbucket bittrex " +
    "cloudflare codecov cohere coinbase confluent confluence contentful databricks datadog discord droneci dropbox etsy " +
    "facebook fastly finicity finnhub flickr freshbooks gitter heroku hubspot intercom jfrog jira kraken kucoin " +
    "launchdarkly linear linkedin lob looker mailchimp mailgun mapbox mattermost meraki messagebird netlify newrelic " +
    "nytimes okta openai plaid privateai rapidapi sendbird sentry snyk sonar squarespace sumo telegram travis trello " +
    "twitch twitter yandex zendesk zoom",
);
export const phrases: ReadonlySet<string> = new Set([
  ...["code verifier", "client assertion", "connection string", "saml response", "recovery code"],
  ...["recovery codes", "backup codes", "mfa code", "verification code"],
]);
export const secretKeys = wordSet(
  "api app application secret private priv access encryption encrypt decryption signing sign master account ssh auth service " +
    "shared session hmac aes rsa client license subscription admin root consumer deploy webhook gpg pgp jwt cipher crypto " +
    "encoded wallet aws azure stripe",
);
export const notSecretKeys = wordSet(
  "public pub primary foreign sort partition cache object idempotency host hot map react row group index unique natural",
);
export const notPasswords = wordSet("test tests first second single multi one two render build did");
export const counting = wordSet(
  "max min input output total completion prompt num number n used cached cache reasoning thinking context remaining budget per " +
    "of stop special usage text audio image accepted rejected prediction read creation estimated avg average sum new count " +
    "generated limit bonus",
);
export const describing = wordSet(
  "policy length len min max minimum maximum count counts counter limit limits used usage budget type types name names id ids url uri " +
    "endpoint expiry expires expire expiration expired ttl age rotation version path paths file filename dir directory ref " +
    "reference arn field fields label hint placeholder required optional enabled disabled valid invalid validity present " +
    "exists strength reset changed change updated created at on in format prefix scope scopes algorithm alg status state size " +
    "window rate price cost manager provider per consent banner domain samesite secure httponly header headers description " +
    "title help prompt rules rule regex pattern schema error errors message index position izer info metadata kind lifetime " +
    "supported methods method refresh",
);

/** How a word ends; short ones only as a whole. */
function endings(long: string, whole: string): RegExp {
  const [ends, words] = [long, whole].map((list) => anyOf(fold(list).toLowerCase().split(" ")));
  return new RegExp(`(?:${ends}|^(?:${words}))$`);
}

export const foreignPasswords = endings(
  "passwort passwörter kennwort losungswort contraseña contraseñas contrasenya motdepasse motsdepasse wachtwoord lösenord " +
    "passord adgangskode kodeord salasana jelszó lozinka пароль пароля пароли 密码 密碼 口令 パスワード 暗証番号 비밀번호 암호 " +
    "รหัสผ่าน κωδικός סיסמה",
  "senha senhas hasło heslo geslo parola parolă şifre mdp mdpasse",
);
export const foreignSecrets = endings(
  "geheimnis secreto segredo segreto секрет токен 密钥 密鑰 令牌 トークン",
  "jeton",
);
export const foreignRandom = endings("schlüssel ключ", "clave chave chiave clé");
export const passwordPhrases: ReadonlySet<string> = new Set(
  "de passe|mat khau|kata sandi|pass word|d ordine".split("|"),
);
/** What is secret only as a number of a certain length: `pin: 4` is a place on a board. */
export const numberNames: ReadonlyMap<string, string> = new Map(
  Object.entries({
    pin: "pin puk pincode pinnumber|pin code|pin number|puk code",
    ssn: "ssn socialsecurity socialsecuritynumber|social security|security number|security no",
    "card-number":
      "card creditcard debitcard cardnumber cardno ccnumber ccnum kartennummer kreditkarte kreditkartennummer|card number|" +
      "card no|card num|cc number|cc num|de tarjeta|numero tarjeta|de carte|numero carte|di carta",
  }).flatMap(([kind, list]) => {
    const [words = "", ...pairs] = list.split("|");
    return [...words.split(" "), ...pairs].map((name): [string, string] => [name, kind]);
  }),
);
