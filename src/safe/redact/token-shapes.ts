/** Finds secrets by their own shape: the prefixes and lengths that services give their keys. */
import { eachWord } from "../../core/text/words.ts";
import { anyOf } from "./any-of.ts";
import { looksRandom } from "./looks-random.ts";
import type { Mark } from "./mark.ts";
import { matchAt, replaceParts } from "./replace-parts.ts";

/** One pass for all prefixes, then one look at what follows each: time grows with the text alone. */
export function redactShapes(text: string, mark: Mark): string {
  const withoutPrefixes = replaceParts(text, anyPrefix, mark, ({ 0: prefix, index: start }, after) => {
    const shape = byPrefix.get(prefix);
    if (shape === undefined || !startsToken(text, start, prefix)) return undefined;
    if (matchAt(shape.rest, text, after) === null) return undefined;
    const end = shape.rest.lastIndex;
    // What is no key is not looked at again either.
    anyPrefix.lastIndex = end;
    return ordinary.has(prefix) && !looksRandom(text.slice(start, end))
      ? undefined
      : { kind: shape.kind, start, end };
  });
  return redactWithoutPrefix(withoutPrefixes, mark);
}

// biome-ignore format: one line per kind reads as a table
const table: readonly (readonly [kind: string, prefixes: string, rest: string])[] = [
  ["aws-access-key", "AKIA ASIA ABIA ACCA AGPA AIDA AIPA ANPA ANVA AROA A3T", "[A-Z0-9]{16,17}(?![A-Z0-9])"],
  ["aws-bedrock-key", "ABSK bedrock-api-key-", "[A-Za-z0-9+/=]{60,}"],
  ["toolgate-token", "tgk_", "[\\w-]{40,}"],
  ["github-token", "ghp_ gho_ ghu_ ghs_ ghr_", "\\w{30,}"],
  ["github-token", "github_pat_", "\\w{22,}"],
  ["gitlab-token", "glpat- gldt- glrt- glrtr- glcbt- glptt- glft- glimt- glagent- gloas- glsoat- glffct- GR1348941", "[\\w=.-]{20,}"],
  ["slack-token", "xoxa- xoxb- xoxp- xoxo- xoxs- xoxr- xoxe- xoxe.xoxp- xoxe.xoxb- xapp-", "[A-Za-z0-9-]{10,}"],
  ["slack-webhook", "hooks.slack.com/", "(?:services|workflows|triggers)/[\\w+/-]{20,}"],
  ["discord-webhook", "discord.com/api/ discordapp.com/api/", "(?:v\\d+/)?webhooks/\\d{5,}/[\\w-]{20,}"],
  ["teams-webhook", "webhook.office.com/webhookb2/", "[\\w@-]{30,}/IncomingWebhook/[\\w/-]{20,}"],
  ["stripe-key", "sk_live_ sk_test_ sk_prod_ rk_live_ rk_test_ rk_prod_ pk_live_ whsec_", "[A-Za-z0-9+/=]{10,}"],
  ["anthropic-key", "sk-ant-", "[\\w-]{20,}"],
  ["openai-key", "sk-proj- sk-svcacct- sk-admin- sk-None- sess-", "[\\w-]{20,}"],
  ["openrouter-key", "sk-or-v1-", "[a-f0-9]{20,}"],
  ["api-key", "sk-", "[\\w-]{20,}"],
  ["google-key", "AIza", "[\\w-]{35}"],
  ["google-oauth", "ya29. GOCSPX- 1//0", "[\\w-]{20,}"],
  ["npm-token", "npm_", "\\w{30,}"],
  ["pypi-token", "pypi-", "[\\w-]{40,}"],
  ["sendgrid-key", "SG.", "[\\w-]{16,32}\\.[\\w-]{30,64}"],
  ["twilio-key", "SK AC", "[0-9a-f]{32}(?![0-9A-Za-z])"],
  ["huggingface-token", "hf_ api_org_", "[A-Za-z0-9]{30,}"],
  ["digitalocean-token", "dop_v1_ doo_v1_ dor_v1_", "[a-f0-9]{40,}"],
  ["shopify-token", "shpat_ shpca_ shppa_ shpss_ shpua_", "[a-fA-F0-9]{32}"],
  ["square-token", "sq0atp- sq0csp- sq0idp- EAAAE EAAAl", "[\\w-]{22,}"],
  ["square-token", "EAAA", "[\\w-]{60,}"],
  ["facebook-token", "EAAM EAAC EAAG EAAB", "[A-Za-z0-9]{60,}"],
  ["mailgun-key", "key- pubkey-", "[a-f0-9]{32}(?![0-9A-Za-z])"],
  ["sendinblue-key", "xkeysib- xsmtpsib-", "[a-f0-9]{40,}-[A-Za-z0-9]{10,}"],
  ["atlassian-token", "ATATT3 ATCTT3 ATBB ATOA", "[\\w=-]{20,}"],
  ["airtable-token", "pat", "[A-Za-z0-9]{14}\\.[a-f0-9]{64}"],
  ["linear-key", "lin_api_ lin_oauth_", "[A-Za-z0-9]{30,}"],
  ["notion-token", "ntn_ secret_", "[A-Za-z0-9]{40,}"],
  ["figma-token", "figd_ figo_ figu_ figoh_ figuh_", "[\\w-]{30,}"],
  ["grafana-token", "glsa_ glc_ eyJrIjoi", "[\\w+/=]{30,}"],
  ["newrelic-key", "NRAK- NRAL- NRJS- NRII- NRRA- NRIQ- NRSP-", "[\\w-]{19,}"],
  ["sentry-token", "sntrys_ sntryu_", "[\\w+/=.-]{40,}"],
  ["doppler-token", "dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.", "[\\w.-]{30,}"],
  ["vault-token", "hvs. hvb. hvr.", "[\\w-]{20,}"],
  ["databricks-token", "dapi dose", "[a-f0-9]{32}(?:-\\d)?(?![0-9A-Za-z])"],
  ["docker-token", "dckr_pat_ dckr_oat_", "[\\w-]{20,}"],
  ["rubygems-key", "rubygems_", "[a-f0-9]{40,}"],
  ["nuget-key", "oy2", "[a-z0-9]{43}(?![0-9A-Za-z])"],
  ["postman-key", "PMAK-", "[a-fA-F0-9]{24}-[a-fA-F0-9]{34}"],
  ["planetscale-token", "pscale_tkn_ pscale_pw_ pscale_oauth_", "[\\w=.-]{30,}"],
  ["supabase-key", "sbp_ sb_secret_", "[\\w-]{20,}"],
  ["netlify-token", "nfp_", "[A-Za-z0-9]{30,}"],
  ["fly-token", "fo1_ fm1_ fm1r_ fm2_ fm2a_", "[\\w+/=-]{40,}"],
  ["heroku-key", "HRKU-", "[\\w-]{30,}"],
  ["replicate-token", "r8_", "[A-Za-z0-9]{30,}"],
  ["groq-key", "gsk_", "[A-Za-z0-9]{40,}"],
  ["perplexity-key", "pplx-", "[A-Za-z0-9]{40,}"],
  ["xai-key", "xai-", "[A-Za-z0-9]{60,}"],
  ["langsmith-key", "lsv2_pt_ lsv2_sk_", "[a-f0-9]{32}_[a-f0-9]{10}"],
  ["pinecone-key", "pcsk_", "\\w{40,}"],
  ["tavily-key", "tvly-", "[A-Za-z0-9-]{20,}"],
  ["firecrawl-key", "fc-", "[a-f0-9]{32}(?![0-9A-Za-z])"],
  ["nvidia-key", "nvapi-", "[\\w-]{40,}"],
  ["posthog-key", "phx_ phc_", "[A-Za-z0-9]{30,}"],
  ["resend-key", "re_", "[A-Za-z0-9]{8}_[A-Za-z0-9]{20,}"],
  ["tailscale-key", "tskey-", "[a-z]+-[\\w-]{20,}"],
  ["cloudflare-key", "v1.0-", "[a-f0-9]{24}-[a-f0-9]{100,}"],
  ["clojars-token", "CLOJARS_", "[a-z0-9]{50,}"],
  ["dynatrace-token", "dt0c01. dt0s01.", "[A-Z0-9]{24}\\.[A-Z0-9]{60,}"],
  ["duffel-token", "duffel_test_ duffel_live_", "[\\w=-]{40,}"],
  ["easypost-token", "EZAK EZTK", "[A-Za-z0-9]{54}"],
  ["flutterwave-key", "FLWPUBK FLWSECK", "(?:_TEST)?-?[A-Za-z0-9-]{12,}"],
  ["frameio-token", "fio-u-", "[\\w=-]{60,}"],
  ["gocardless-token", "live_ sandbox_", "[\\w=-]{40}(?![\\w=-])"],
  ["infracost-key", "ico-", "[A-Za-z0-9]{32}(?![0-9A-Za-z])"],
  ["intra42-secret", "s-s4t2ud- s-s4t2af-", "[a-f0-9]{60,}"],
  ["launchdarkly-key", "sdk- mob- api-", "[a-f0-9]{8}-(?:[a-f0-9]{4}-){3}[a-f0-9]{12}"],
  ["plaid-token", "access-sandbox- access-development- access-production-", "[a-f0-9-]{36}"],
  ["mapbox-token", "pk.eyJ sk.eyJ tk.eyJ", "[\\w-]{20,}\\.[\\w-]{20,}"],
  ["openshift-token", "sha256~", "[\\w-]{43}"],
  ["prefect-key", "pnu_ pnb_", "[A-Za-z0-9]{36}"],
  ["pulumi-token", "pul-", "[a-f0-9]{40}"],
  ["readme-token", "rdme_", "[a-z0-9]{60,}"],
  ["scalingo-token", "tk-us-", "[\\w-]{40,}"],
  ["settlemint-token", "sm_aat_ sm_pat_ sm_sat_", "[A-Za-z0-9]{16,}"],
  ["shippo-token", "shippo_live_ shippo_test_", "[a-f0-9]{40}"],
  ["sourcegraph-token", "sgp_ slk_", "(?:(?:[a-f0-9]{16}|local)_)?[a-f0-9]{40,}"],
  ["tencent-key", "AKID", "[A-Za-z0-9]{32}(?![0-9A-Za-z])"],
  ["adobe-secret", "p8e- p8-", "[A-Za-z0-9]{32}(?![0-9A-Za-z])"],
  ["age-key", "AGE-SECRET-KEY-1", "[A-Z0-9]{50,}"],
  ["alibaba-key", "LTAI", "[A-Za-z0-9]{12,24}(?![0-9A-Za-z])"],
  ["artifactory-key", "AKCp cmVmd", "[A-Za-z0-9]{50,}"],
  ["onepassword-token", "ops_eyJ", "[A-Za-z0-9+/=_-]{100,}"],
  ["onepassword-key", "A3-", "[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}"],
  ["octopus-key", "API-", "[A-Z0-9]{26}(?![0-9A-Za-z])"],
  ["typeform-token", "tfp_", "[\\w.=-]{40,}"],
  ["defined-key", "dnkey-", "[\\w=-]{26}-[\\w=-]{40,}"],
  ["buildkite-token", "bkua_ bkct_", "[a-f0-9]{40}"],
  ["circleci-token", "CCIPAT_ CCIPRJ_", "\\w{20,}"],
  ["harness-key", "pat. sat.", "[\\w-]{22}\\.[a-f0-9]{24}\\.[A-Za-z0-9]{20}"],
  ["cargo-token", "cio", "[A-Za-z0-9]{32}(?![0-9A-Za-z])"],
  ["contentful-token", "CFPAT-", "[\\w-]{40,}"],
  ["yandex-key", "AQVN t1.", "[\\w-]{30,}(?:={0,2}\\.[\\w-]{80,}={0,2})?"],
  ["authress-key", "authress_ scauth_ sc_ ext_", "[A-Za-z0-9]{5,30}\\.[A-Za-z0-9]{4,6}\\.acc[_-][A-Za-z0-9-]{10,32}\\.[\\w+/=-]{30,120}"],
  ["vercel-token", "vcp_ vci_ vca_ vcr_ vck_", "[A-Za-z0-9]{20,}"],
  // Of the five parts of an encrypted one the second may be empty.
  ["jwt", "eyJ", "[\\w-]{8,}\\.[\\w-]*(?:\\.[\\w-]*){1,3}"],
];

interface Shape {
  readonly kind: string;
  readonly rest: RegExp;
}

/**
 * A server switches on V8's linear engine for patterns that backtrack too often. That engine needs a second for some
 * hundred thousand letters with so many words to choose from. It does not know how to look ahead.
 */
function withoutLinearEngine(pattern: string, flags: string): RegExp {
  return new RegExp(`(?=\\S)(?:${pattern})`, flags);
}

const byPrefix = new Map<string, Shape>(
  table.flatMap(([kind, prefixes, rest]) =>
    eachWord(prefixes, { kind, rest: withoutLinearEngine(rest, "y") }),
  ),
);
/** Longest first, so that `sk-ant-` is not taken for `sk-`. */
const anyPrefix = withoutLinearEngine(
  anyOf([...byPrefix.keys()].sort((one, other) => other.length - one.length)),
  "g",
);

/** Prefixes that also start ordinary names (`sk-button-container`); what follows must look generated. */
const ordinary: ReadonlySet<string> = new Set(["sk-", "sess-", "live_", "sandbox_", "secret_"]);

/**
 * Not in the middle of a word: `task-...` holds `sk-`, and base64 holds anything. What stands before may also
 * be an escape (`\n`, `%20`, `\u0022`) whose last character only looks like a part of the word.
 */
function startsToken(text: string, index: number, prefix: string): boolean {
  const before = text.charCodeAt(index - 1);
  // A chain eyJ-eyJ- must be one token, or each link would be read to the end in search of a dot.
  if (!isWordCode(before) && !(prefix === "eyJ" && (before === 45 || before === 95))) return true;
  return escapeBefore.test(text.slice(Math.max(0, index - 6), index));
}

const escapeBefore = /(?:\\[nrtbf]|%[0-9A-Fa-f]{2}|\\u[0-9A-Fa-f]{4})$/;

function isWordCode(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}

interface Bare {
  readonly kind: string;
  readonly needle: string;
  readonly pattern: RegExp;
}

/** Each starts where a run of its characters starts (or an escape ends), so that no run is read twice. */
function bareShape(kind: string, needle: string, run: string, shape: string): Bare {
  const start = `(?:(?<![${run}])|(?<=\\\\[nrtbf]|%[0-9A-Fa-f]{2}))`;
  return { kind, needle, pattern: new RegExp(start + shape, "g") };
}

/** Shapes that are known by something in their middle. */
// biome-ignore format: one line per kind reads as a table
const bare: readonly Bare[] = [
  bareShape("telegram-token", ":AA", "0-9", "\\d{6,16}:AA[\\w-]{30,}"),
  bareShape("azure-secret", "Q~", "\\w~.-", "[\\w~.-]{3}\\dQ~[\\w~.-]{31,34}"),
  // The check sums of packages are as long.
  bareShape("azure-storage-key", "==", "A-Za-z0-9+/", "(?<!sha512[-:=])[A-Za-z0-9+/]{86}=="),
  bareShape("terraform-token", ".atlasv1.", "A-Za-z0-9", "[A-Za-z0-9]{14}\\.atlasv1\\.[\\w=-]{40,}"),
  bareShape("mailchimp-key", "-us", "A-Za-z0-9", "[0-9a-f]{32}-us\\d{1,2}(?!\\d)"),
  bareShape("mailgun-key", "-", "A-Za-z0-9-", "[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}(?![0-9A-Za-z])"),
  bareShape("discord-token", ".", "\\w.-", "[MNO][\\w-]{23,27}\\.[\\w-]{6}\\.[\\w-]{27,45}(?![\\w-])"),
  bareShape("firebase-key", ":APA91b", "\\w-", "[\\w-]{7,16}:APA91b[\\w-]{100,}"),
  bareShape("aws-mws-token", "amzn.mws.", "A-Za-z0-9", "amzn\\.mws\\.[0-9a-f-]{36}"),
  bareShape("maxmind-key", "_mmk", "A-Za-z0-9", "[0-9A-Za-z]{6}_[0-9A-Za-z]{29}_mmk"),
];

function redactWithoutPrefix(text: string, mark: Mark): string {
  let result = text;
  for (const { kind, needle, pattern } of bare) {
    if (!result.includes(needle)) continue;
    result = result.replace(pattern, (secret) => mark(kind, secret));
  }
  return result;
}
