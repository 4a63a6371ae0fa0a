/**
 * Whether a record could hold anything that redacting would take out. Redacting costs a short process a third
 * of its life and a call through the gate a good part of its record, and most calls (`git status`, a path, a
 * page) hold nothing of the kind. In doubt yes: then the real redaction looks. A test compares both, and
 * another one that every prefix and word of the redaction is known here.
 */
import type { Json } from "../../core/input/json.ts";
import { words } from "../../core/text/words.ts";
import { anyOf } from "./any-of.ts";
import { mayHoldCard } from "./digits.ts";
import { holdsInvisible } from "./invisible.ts";

/** More, longer or deeper than this is not looked at twice. */
const maxCharacters = 4_000;
const maxNodes = 200;

export function mayHoldSecret(value: Json): boolean {
  const texts: string[] = [];
  if (!collect(value, texts)) return true;
  // No pattern here reads across a line, so all texts are looked at in one go.
  const text = texts.join("\n");
  if (isTelling(text) || longWord.test(text) || isOdd(text)) return true;
  if (!holdsRun(text)) return false;
  // Names of services only mean a secret beside something long; the two may be key and value.
  const lower = text.toLowerCase();
  return vendors.some((vendor) => lower.includes(vendor)) || holdsPrefix(text);
}

/** The same for JSON text, for programs that live long enough to compile patterns. */
export function mayHoldSecretIn(json: string): boolean {
  if (json.length > maxCharacters) return true;
  const lower = json.toLowerCase();
  patterns ??= compilePatterns();
  if (patterns.telling.test(lower) || (lower.includes("@") && lower.includes("://")) || isOdd(json))
    return true;
  if (!holdsRun(json)) return false;
  if (longWord.test(json)) return true;
  return patterns.vendor.test(lower) || (isEscaped(json) ? patterns.prefix : patterns.firstPrefix).test(json);
}

interface Patterns {
  readonly telling: RegExp;
  readonly vendor: RegExp;
  /** Anywhere, and where a word begins. */
  readonly prefix: RegExp;
  readonly firstPrefix: RegExp;
}

let patterns: Patterns | undefined;

function compilePatterns(): Patterns {
  const prefix = prefixes
    .trim()
    .split(" ")
    .map((word) => `${anyOf([word])}${word in following ? `[0-9A-Za-z]{${following[word]}}` : ""}`)
    .join("|");
  return {
    telling: new RegExp(`${anyOf([...telling, ...userOptions])}|(?:${anyOf(shortWords)})(?![a-z])`),
    vendor: new RegExp(anyOf(vendors)),
    prefix: new RegExp(prefix),
    firstPrefix: new RegExp(`(?<![0-9A-Za-z])(?:${prefix})`),
  };
}

function collect(value: Json, texts: string[]): boolean {
  if (typeof value === "string") {
    texts.push(value);
    return value.length <= maxCharacters && texts.length <= maxNodes;
  }
  if (typeof value === "number" && value > 1e11) texts.push(String(value));
  if (typeof value !== "object" || value === null) return texts.length <= maxNodes;
  if (Array.isArray(value)) return value.every((item: Json) => collect(item, texts));
  return Object.entries(value as { readonly [key: string]: Json }).every(
    ([key, member]) => collect(key, texts) && collect(member, texts),
  );
}

/**
 * Words in the names of secrets, schemes of authorization, programs that take a password as an option,
 * blocks, users in URLs. By plain search in the lower-case text: a pattern that ignores case would cost a
 * short process more than all the rest of this.
 */
function isTelling(text: string): boolean {
  const lower = text.toLowerCase();
  return (
    telling.some((word) => lower.includes(word)) ||
    shortWords.some((word) => endsWord(lower, word)) ||
    (lower.includes("@") && lower.includes("://")) ||
    (lower.includes(":") && userOptions.some((option) => lower.includes(option)))
  );
}

const telling = words(
  "pass pwd otp cvv cvc secret cred auth cookie jwt bearer key sess conn token verifier assertion saml recovery " +
    "backup mfa verification basic negotiate digest mysql login redis-cli privk " +
    // Of other languages, as far as they are written with and without marks alike.
    "kennwor losungsw contrase passe senha wachtwoord senord adgangskode kodeord salasana has\u0142 haslo heslo geslo " +
    "jelsz parol lozinka ifre geheimnis secreto segredo segreto jeton clave chave chiave schl cl\u00e9 cle\u0301 kha " +
    "kh\u1ea9 sandi ordine \u043f\u0430\u0440\u043e\u043b \u0441\u0435\u043a\u0440\u0435\u0442 " +
    "\u0442\u043e\u043a\u0435\u043d \u043a\u043b\u044e\u0447 \u5bc6 \u53e3\u4ee4 \u4ee4\u724c \u30b9\u30ef\u30fc " +
    "\u30c8\u30fc\u30af \u6697\u8a3c \ube44\ubc00 \uc554\ud638 \u0e23\u0e2b\u0e31\u0e2a " +
    "\u03ba\u03c9\u03b4\u03b9\u03ba \u05e1\u05d9\u05e1\u05de " +
    "identified card kart tarjeta carte carta ccnum social psw pword " +
    "-----begin -----end q~ .atlasv1. :apa91b amzn.mws. _mmk",
);
const shortWords = words("pat pin puk ssn pw mdp pincode pinnumber");
const userOptions = ["-u ", "-u=", "--user ", "--user=", "--proxy-user ", "--proxy-user="];

/** A personal access token, but not a path; a PIN, but not a ping. */
function endsWord(lower: string, word: string): boolean {
  for (let at = lower.indexOf(word); at !== -1; at = lower.indexOf(word, at + 1)) {
    const next = lower.charCodeAt(at + word.length);
    if (!(next >= 97 && next <= 122)) return true;
  }
  return false;
}

/** Cards, the lines of a pgpass file, and what nobody sees. */
function isOdd(text: string): boolean {
  return mayHoldCard(text) || pgpassLine.test(text) || otherForms.test(text) || holdsInvisible(text);
}

/** Letters that compare as others: wide, small, bold and joined ones, and Korean in its parts. */
const otherForms =
  /[\u017f\u1100-\u11ff\u1d2c-\u1d6a\u2071-\u209c\u2100-\u214f\u2460-\u24ff\ufb00-\ufb06\uff21-\uff5a]|\ud835/;

const pgpassLine = /:(?:\d{4,5}|\*):/;

/** Keys without a prefix have at least this many characters in a row. */
const longWord = /[\w-]{24}|[\w+/-]{40}/;
/** Every key with a prefix is at least this long, and made of these. */
const runLength = 15;
const ofRun = new Uint8Array(128);
for (const letter of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_+/=.~%@$!-")
  ofRun[letter.charCodeAt(0)] = 1;

/** Looks back from where a run could end: most text has a blank there, and all before is passed over. */
function holdsRun(text: string): boolean {
  for (let end = runLength - 1; end < text.length; ) {
    let length = 0;
    while (length < runLength && ofRun[text.charCodeAt(end - length)] === 1) length++;
    if (length === runLength) return true;
    end += runLength - length;
  }
  return false;
}

const vendors = words(
  "sid sig dsn salt seed sas adafruit adobe airtable algolia alibaba asana atlassian beamer bitbucket bittrex cloudflare codecov " +
    "cohere coinbase confluen contentful databricks datadog discord droneci dropbox etsy facebook fastly finicity finnhub flickr " +
    "freshbooks gitter heroku hubspot intercom jfrog jira kraken kucoin launchdarkly linear linkedin lob looker mailchimp mailgun " +
    "mapbox mattermost meraki messagebird netlify newrelic nytimes okta openai plaid privateai rapidapi sendbird sentry snyk sonar " +
    "squarespace sumo telegram travis trello twitch twitter yandex zendesk zoom",
);

/** How keys begin, each between blanks; one that begins like another is left out. */
const prefixes =
  " 1//0 A3- A3T ABIA ABSK AC AGPA AIDA AIPA AIza AKCp AKIA AKID ANPA ANVA API- AQVN AROA ASIA ATATT3 " +
  "ATBB ATCTT3 ATOA CCIPRJ_ CLOJARS_ EAAA EAAB EAAC EAAG EAAM EZAK EZTK FLWPUBK FLWSECK GOCSPX- " +
  "GR1348941 HRKU- LTAI NRAK- NRAL- NRII- NRIQ- NRJS- NRRA- NRSP- PMAK- SG. SK access- api- api_org_ " +
  "bkct_ bkua_ cio cmVmd dapi dckr_oat_ discord.com/api/ discordapp.com/api/ doo_v1_ dop_v1_ dor_v1_ " +
  "dose dp. dt0c01. dt0s01. duffel_ ext_ eyJ fc- figd_ figo_ figoh_ figu_ figuh_ fio-u- fm1_ fm1r_ fm2_ " +
  "fm2a_ fo1_ gho_ ghp_ ghr_ ghs_ ghu_ glagent- glc_ glcbt- gldt- glffct- glft- glimt- gloas- glpat- " +
  "glptt- glrt- glrtr- glsa_ glsoat- gsk_ hf_ hooks.slack.com/ hvb. hvr. hvs. ico- lin_api_ live_ lsv2_ " +
  "mob- nfp_ npm_ ntn_ nvapi- ops_eyJ oy2 p8- p8e- pat pcsk_ phc_ phx_ pk. pk_live_ pnb_ pnu_ pplx- " +
  "pscale_ pul- pypi- r8_ rdme_ re_ rk_ rubygems_ s-s4t2 sandbox_ sat. sbp_ sc_ sdk- sgp_ sha256~ " +
  "shippo_ shp sk- sk. sk_ slk_ sm_ sntrys_ sntryu_ sq0 t1. tfp_ tk-us- tk. tvly- v1.0- vca_ vci_ vck_ " +
  "vcp_ vcr_ webhook.office.com/webhookb2/ whsec_ xai- xapp- xox xsmtpsib- ya29. ";

/** Words begin like these, too, so what follows counts: letters and digits, and how many. */
const following: Readonly<Record<string, number>> = { pat: 14, AC: 32, SK: 32, cio: 32, dose: 32 };

function holdsPrefix(text: string): boolean {
  const anywhere = isEscaped(text);
  for (let at = 0; at < text.length - 1; at++) {
    if (at > 0 && !anywhere && isWord(text.charCodeAt(at - 1))) continue;
    const start = ` ${text.slice(at, at + 2)}`;
    for (let found = prefixes.indexOf(start); found !== -1; found = prefixes.indexOf(start, found + 1)) {
      const prefix = prefixes.slice(found + 1, prefixes.indexOf(" ", found + 1));
      if (text.startsWith(prefix, at) && isFollowed(text, at + prefix.length, following[prefix])) return true;
    }
  }
  return false;
}

/** Behind an escape a key may begin in the middle of what looks like a word. */
function isEscaped(text: string): boolean {
  return text.includes("\\") || text.includes("%");
}

function isFollowed(text: string, at: number, count = 0): boolean {
  for (let index = at; index < at + count; index++) if (!isWord(text.charCodeAt(index))) return false;
  return true;
}

function isWord(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}
