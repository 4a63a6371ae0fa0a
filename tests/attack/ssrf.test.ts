import { execFile } from "node:child_process";
import { get as httpGet, type IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dial, UncheckedAddress } from "../../src/safe/net/connect.ts";
import { type AddressVerdict, judgeAddress } from "../../src/safe/net/public-address.ts";
import { nextHop } from "../../src/safe/net/redirect.ts";
import {
  createSafeFetch,
  type FetchGuards,
  type FetchResult,
  type SafeFetch,
  safeFetch,
} from "../../src/safe/net/safe-fetch.ts";
import { type RunningServer, serveHttp } from "../unit/safe/net/safe-fetch-servers.ts";
import { words } from "../words.ts";

// The stage: 127.0.0.2 plays the public internet, 127.0.0.1 is the inside that nobody may reach. Both listen on one port, so
// that only the address tells them apart. Where the system has no second loopback address the whole file is skipped.
const outside = "127.0.0.2";
const inside = "127.0.0.1";
const stage = await setUp();
const judge = (address: string): AddressVerdict =>
  address === outside ? { ok: true, canonical: address } : judgeAddress(address);

interface Stage {
  readonly port: number;
  readonly canary: RunningServer;
  readonly front: RunningServer;
  /** What the canary and the front were sent, headers included. */
  readonly received: { readonly host: string; readonly headers: Record<string, unknown> }[];
}

async function setUp(): Promise<Stage | undefined> {
  const received: Stage["received"][number][] = [];
  const canary = await serveHttp((request, response) => {
    received.push({ host: inside, headers: request.headers });
    response.end("the secret");
  }, inside);
  try {
    const front = await serveHttp(
      (request, response) => {
        received.push({ host: outside, headers: request.headers });
        const url = new URL(request.url ?? "/", "http://x");
        const to = url.searchParams.get("to");
        if (to !== null)
          response.writeHead(Number(url.searchParams.get("status") ?? 302), { location: to }).end();
        else if (url.pathname === "/bomb") response.setHeader("content-encoding", "gzip").end(bomb);
        else response.end("public page");
      },
      outside,
      canary.port,
    );
    return { port: canary.port, canary, front, received };
  } catch {
    await canary.close();
    return undefined;
  }
}

/** A gigabyte of zeros in a megabyte: 64 gzip members of 16 MiB each. */
const member = gzipSync(Buffer.alloc(16 * 1024 * 1024), { level: 9 });
const bomb = Buffer.concat(Array.from({ length: 64 }, () => member));

afterAll(async () => {
  await stage?.canary.close();
  await stage?.front.close();
});

type Attack = (fetch: SafeFetch, port: number) => Promise<FetchResult>;

const toInside = async (hostname: string): Promise<string[]> => [
  hostname === "public.example" ? outside : inside,
];

function direct(host: string): Attack {
  return (fetch, port) => fetch({ url: `http://${host}:${port}/`, resolve: toInside, timeoutMs: 500 });
}

function asIs(url: string): Attack {
  return (fetch, port) =>
    fetch({ url: url.replaceAll("PORT", String(port)), resolve: toInside, timeoutMs: 500 });
}

function answering(...answers: readonly string[][]): Attack {
  return (fetch, port) => {
    let call = 0;
    const resolve = async (): Promise<string[]> => {
      const answer = answers[Math.min(call, answers.length - 1)] ?? [];
      call += 1;
      return answer;
    };
    return fetch({ url: `http://rebind.example:${port}/`, resolve, timeoutMs: 500 });
  };
}

function redirecting(to: string, status = 302): Attack {
  return (fetch, port) => {
    const target = encodeURIComponent(to.replaceAll("PORT", String(port)));
    const url = `http://public.example:${port}/?status=${status}&to=${target}`;
    return fetch({ url, method: status === 307 ? "POST" : "GET", resolve: toInside, timeoutMs: 500 });
  };
}

const spellings = words(`
  127.0.0.1 127.1 127.0.1 2130706433 0x7f000001 0x7f.1 017700000001 0177.0.0.01 127.0.0.1. 0 0.0.0.0
  127。0。0。1 ①②⑦.⓪.⓪.① １２７.0.0.1 %31%32%37.0.0.1 [::1] [::] [::ffff:127.0.0.1] [::ffff:7f00:1]
  [0:0:0:0:0:ffff:127.0.0.1] [::127.0.0.1] localhost LOCALHOST localhost. ｌocalhost inner.example
  127.0.0.1.nip.example xn--fsq.example
`);
const tricks = [
  ...words(`
    http://public.example@127.0.0.1:PORT/ http://public.example:x@127.0.0.1:PORT/
    http://127.0.0.1:PORT\\@public.example/ http:127.0.0.1:PORT/ http:/127.0.0.1:PORT/
    http:///127.0.0.1:PORT/ http:\\\\127.0.0.1:PORT\\ \thttp://127.0.0.1:PORT/ http://127.0.0\t.1:PORT/
    HTTP://127.0.0.1:PORT/ http://@127.0.0.1:PORT/ http://127.0.0.1:PORT#public.example
    http://127.0.0.1:PORT?public.example http://inner.example\u0000.public.example:PORT/
  `),
  "http://127.0.0.1\n:PORT/",
];

const attacks: Readonly<Record<string, Attack>> = {
  ...Object.fromEntries(spellings.map((host) => [`the host ${host}`, direct(host)])),
  ...Object.fromEntries(tricks.map((url) => [`the URL ${JSON.stringify(url)}`, asIs(url)])),
  "a name with an inside address": answering([inside]),
  "a name with a public address first and an inside one second": answering([outside, inside]),
  "a name with an inside address first and a public one second": answering([inside, outside]),
  "a name with an IPv4-mapped inside address": answering(["::ffff:127.0.0.1"]),
  "a name that answers publicly once and then from inside": answering([outside], [inside]),
  "a name that answers publicly once, then both": answering([outside], [inside, outside]),
  "a redirect to an inside address": redirecting("http://127.0.0.1:PORT/"),
  "a redirect to a name with an inside address": redirecting("http://inner.example:PORT/"),
  "a redirect to a decimal address": redirecting("http://2130706433:PORT/"),
  "a redirect without scheme": redirecting("//127.0.0.1:PORT/"),
  "a redirect that keeps the method": redirecting("http://127.0.0.1:PORT/", 307),
  "a redirect to a redirect": redirecting("http://public.example:PORT/?to=http%3A%2F%2F127.0.0.1%3APORT%2F"),
};

/** The attacks that reached the inside. */
async function reached(fetch: SafeFetch): Promise<string[]> {
  const found: string[] = [];
  if (stage === undefined) return found;
  for (const [name, attack] of Object.entries(attacks)) {
    const before = stage.canary.connections();
    const result = await attack(fetch, stage.port);
    if (stage.canary.connections() > before || (result.ok && result.text() === "the secret"))
      found.push(name);
  }
  return found;
}

const toReach = "requests that want to reach the inside (needs a second loopback address)";
describe.skipIf(stage === undefined)(toReach, () => {
  const guarded = createSafeFetch({ judge });

  it("never even connect", async () => {
    expect(await reached(guarded)).toEqual([]);
    expect(stage?.canary.connections()).toBe(0);
  });

  it("while an ordinary request and an ordinary redirect get through", async () => {
    const port = stage?.port ?? 0;
    for (const path of ["/", "/?to=/next"]) {
      const result = await guarded({ url: `http://public.example:${port}${path}`, resolve: toInside });
      expect(result.ok && result.text()).toBe("public page");
    }
  });

  it("are refused when the connection ends elsewhere than at the checked address", async () => {
    const url = new URL(`http://${inside}:${stage?.port}/`);
    const dialled = dial({ url, addresses: [outside], signal: AbortSignal.timeout(2_000) });
    await expect(dialled).rejects.toBeInstanceOf(UncheckedAddress);
  });

  it("go no further with a listed host than to this host and port", async () => {
    const port = stage?.port ?? 0;
    const before = stage?.canary.connections();
    const listed = [`127.0.0.1:${port}`, `inner.example:${port + 1}`];
    const meta = "http://meta.example/";
    const metaListed = ["meta.example:80"];
    for (const request of [
      { url: `http://inner.example:${port}/`, resolve: toInside, allowPrivate: listed },
      { url: `http://localhost:${port}/`, resolve: toInside, allowPrivate: listed },
      { url: `http://127.0.0.1:${port + 1}/`, allowPrivate: listed },
      { url: meta, resolve: async () => ["169.254.169.254"], allowPrivate: metaListed },
      { url: meta, resolve: async () => ["fe80::1"], allowPrivate: true as const },
      { url: "http://169.254.169.254/latest/meta-data/", allowPrivate: true as const },
      { url: "http://any.example/", resolve: async () => ["0.0.0.0"], allowPrivate: true as const },
    ])
      expect(await guarded(request)).toMatchObject({ ok: false, code: "blocked_address" });
    expect(stage?.canary.connections()).toBe(before);
    expect((await guarded({ url: `http://127.0.0.1:${port}/`, allowPrivate: listed })).ok).toBe(true);
  });

  it("do not learn the inner address from the refusal", async () => {
    const result = await safeFetch({ url: "http://db.example/", resolve: async () => ["10.11.12.13"] });
    expect(JSON.stringify(result)).not.toContain("10.11.12");
  });

  const lists: Readonly<Record<string, (address: string) => boolean>> = {
    "knows only the famous private prefixes": (address) =>
      !/^(?:127\.|10\.|192\.168\.|169\.254\.|::1$)/.test(address),
    "checks that it is no IPv4 loopback": (address) => !address.startsWith("127."),
  };
  const naive: Readonly<Record<string, SafeFetch>> = {
    "looks at the host in the URL only": naiveFetch("text"),
    "checks the name's address and then connects by name": naiveFetch("resolve-then-name"),
    "checks only the first address of a name": naiveFetch("first-address"),
    "checks the first URL and not the redirects": naiveFetch("first-hop"),
    ...Object.fromEntries(
      Object.entries(lists).map(([name, isFine]): [string, SafeFetch] => [
        name,
        createSafeFetch({
          judge: (address) => (isFine(address) ? { ok: true, canonical: address } : judge(address)),
        }),
      ]),
    ),
  };
  it.each(Object.entries(naive))("would get through a version that %s", async (_name, mutant) => {
    expect((await reached(mutant)).length).toBeGreaterThan(0);
  });
});

/** A small fetch with the mistakes of the well-known ones. */
function naiveFetch(check: "text" | "resolve-then-name" | "first-address" | "first-hop"): SafeFetch {
  const isBad = (host: string): boolean => /^(?:127\.|10\.|localhost$|\[?::1)/.test(host);
  const fetch = async (request: Parameters<SafeFetch>[0], hop: number): Promise<FetchResult> => {
    const fail: FetchResult = { ok: false, code: "network_error", message: "", hint: "" };
    if (!URL.canParse(request.url) || hop > 5) return fail;
    const url = new URL(request.url);
    const resolve = request.resolve ?? (async () => []);
    const bare = url.hostname.replace(/^\[|\]$/g, "");
    if (isBad(url.hostname) && !(check === "first-hop" && hop > 0)) return fail;
    let addresses = isIP(bare) === 0 ? [...(await resolve(bare))] : [bare];
    const isRefused = (address: string): boolean => !judge(address).ok;
    if (check === "first-hop" && hop === 0 && addresses.some(isRefused)) return fail;
    if (check === "resolve-then-name") {
      if (addresses.some(isRefused)) return fail;
      if (isIP(bare) === 0) addresses = [...(await resolve(bare))];
    }
    if (check === "first-address") {
      if (isRefused(addresses[0] ?? "")) return fail;
      addresses = addresses.slice(-1);
    }
    const response = await new Promise<IncomingMessage | undefined>((done) => {
      const host = addresses[0];
      httpGet({ host, port: url.port, path: url.pathname + url.search, timeout: 300 }, done).on("error", () =>
        done(undefined),
      );
    });
    if (response === undefined) return fail;
    if (response.headers.location !== undefined) {
      response.resume();
      return fetch({ ...request, url: new URL(response.headers.location, url).href }, hop + 1);
    }
    const body = Buffer.concat(await response.toArray());
    const text = () => body.toString();
    return { ok: true, status: 200, headers: {}, body, text, url: url.href, redirects: [] };
  };
  return (request) => fetch(request, 0);
}

describe("addresses", () => {
  const closed = [
    ...words(`
      0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.1 100.100.100.200 100.127.255.255 127.0.0.1
      127.255.255.254 169.254.169.254 169.254.170.2 172.16.0.1 172.31.255.255 192.0.0.1 192.0.0.192
      192.0.2.1 192.88.99.1 192.168.0.1 198.18.0.1 198.19.255.255 198.51.100.1 203.0.113.1 224.0.0.1
      239.255.255.250 240.0.0.1 255.255.255.255 168.63.129.16 :: ::1 ::127.0.0.1 ::7f00:1 ::8.8.8.8
      ::ffff:127.0.0.1 ::ffff:8.8.8.8 ::ffff:0:127.0.0.1 64:ff9b::7f00:1 64:ff9b::8.8.8.8 64:ff9b:1::a00:1
      100::1 2001::1 2001:0:4136:e378:8000:63bf:3fff:fdd2 2001:2::1 2001:3::1 2001:10::1 2001:20::1
      2001:db8::1 2002:7f00:1::1 2002:808:808::1 3fff::1 5f00::1 4000::1 fc00::1 fd00:ec2::254 fe80::1
      fe80::1%eth0 fec0::1 ff02::1 ff0e::1 2a00:1450::5efe:127.0.0.1 2a00:1450::200:5efe:a00:1
      2606:4700::1%1 localhost 127.1 0x7f.1 08.8.8.8 8.8.8 8.8.8.8.8 8.8.8.256 [::1] :::1
    `),
    "",
    "8.8.8.8 ",
  ];
  const open = words(`
    8.8.8.8 1.1.1.1 93.184.216.34 172.15.255.255 172.32.0.1 100.63.255.255 100.128.0.1 169.253.255.255
    192.0.1.1 198.17.255.255 198.20.0.1 223.255.255.255 11.0.0.1 2606:4700:4700::1111 2001:4860:4860::8888
    2a00:1450:4001:81b::200e 2003::1
  `);
  const wrongly = (isPublic: (address: string) => boolean): string[] =>
    closed.filter((address) => isPublic(address));

  it("that are not public are all refused, and public ones are not", () => {
    expect(wrongly((address) => judgeAddress(address).ok)).toEqual([]);
    expect(open.filter((address) => !judgeAddress(address).ok)).toEqual([]);
  });

  it("of every IPv4 /16 agree with the ranges that are set aside", () => {
    const special =
      /^(?:0|10|127|2[2-5]\d)\.|^100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|^169\.254\.|^172\.(?:1[6-9]|2\d|3[01])\.|^192\.168\.|^198\.1[89]\./;
    for (let high = 0; high < 65_536; high += 1) {
      const address = `${high >> 8}.${high & 255}.77.77`;
      const isSpecial = special.test(address) && !/^22[0-3]\./.test(address);
      if (judgeAddress(address).ok === isSpecial) expect.fail(address);
    }
  });

  const mutants: Readonly<Record<string, (address: string) => boolean>> = {
    "lists the private ranges of IPv4": (address) =>
      !/^(?:10|127)\.|^192\.168\.|^172\.(?:1[6-9]|2\d|3[01])\./.test(address),
    "unwraps IPv4-mapped addresses and forgets the other tunnels": (address) =>
      judgeAddress(address.replace(/^::ffff:/, "")).ok || /^(?:64:ff9b|2002):/.test(address),
    "takes everything the table does not know for public": (address) =>
      judgeAddress(address).ok || /^(?:::7f00|::127|::8|4000)/.test(address),
  };
  it.each(Object.entries(mutants))("would be let through by a version that %s", (_name, mutant) => {
    expect(wrongly(mutant).length).toBeGreaterThan(0);
  });
});

describe.skipIf(stage === undefined)("an outside server that means harm", () => {
  const guarded = createSafeFetch({ judge });
  const url = (path: string): string => `http://public.example:${stage?.port}${path}`;
  const resolve = async (): Promise<string[]> => [outside];

  /** How far memory grew above the start while the work ran. */
  async function growthOf(work: () => Promise<unknown>): Promise<number> {
    const start = process.memoryUsage().rss;
    let most = start;
    const timer = setInterval(() => {
      most = Math.max(most, process.memoryUsage().rss);
    }, 2);
    await work();
    clearInterval(timer);
    return Math.max(most, process.memoryUsage().rss) - start;
  }

  beforeAll(() => guarded({ url: url("/bomb"), resolve }));

  it("fills a gigabyte from a megabyte and is stopped early, in little memory", async () => {
    expect(bomb.length).toBeLessThan(1_100_000);
    let result: FetchResult | undefined;
    const growth = await growthOf(async () => {
      result = await guarded({ url: url("/bomb"), resolve });
    });
    expect(result).toMatchObject({ ok: false, code: "too_large" });
    expect(growth).toBeLessThan(50 * 1024 * 1024);
  });

  it("is stopped by the ratio even where the size limit is far away", async () => {
    const result = await guarded({ url: url("/bomb"), resolve, maxBytes: 2 ** 31 });
    const message = expect.stringContaining("100 times");
    expect(result).toMatchObject({ ok: false, code: "too_large", message });
  });

  it("would succeed against a version that counts the bytes on the wire", async () => {
    const wire: FetchGuards["readBody"] = async (response, maxBytes) => {
      let received = 0;
      for await (const chunk of response) received += (chunk as Buffer).length;
      return received > maxBytes
        ? { ok: false, code: "too_large", message: "", hint: "" }
        : { ok: true, bytes: new Uint8Array(received) };
    };
    expect((await createSafeFetch({ judge, readBody: wire })({ url: url("/bomb"), resolve })).ok).toBe(true);
  });

  it("gets no credential by a redirect, as it would from a version that only knows the usual names", async () => {
    const elsewhere = `http://other.example:${stage?.port}/`;
    const leaked = async (fetch: SafeFetch): Promise<boolean> => {
      if (stage !== undefined) stage.received.length = 0;
      const headers = { Authorization: "hush-1", Cookie: "hush-2", "X-Api-Key": "hush-3" };
      await fetch({ url: url(`/?to=${encodeURIComponent(elsewhere)}`), resolve, headers });
      expect(stage?.received).toHaveLength(2);
      return JSON.stringify(stage?.received[1]?.headers).includes("hush");
    };
    const usualNames: FetchGuards["nextHop"] = (from, parts, status, location) => {
      const next = nextHop(from, parts, status, location);
      if (!next.ok || next.url === undefined) return next;
      const headers = new Map(
        [...parts.headers].filter(([name]) => name !== "authorization" && name !== "cookie"),
      );
      return { ...next, parts: { ...next.parts, headers } };
    };
    expect(await leaked(guarded)).toBe(false);
    expect(await leaked(createSafeFetch({ judge, nextHop: usualNames }))).toBe(true);
  });

  it("is not given to a proxy that the environment names", async () => {
    const proxy = await serveHttp((_request, response) => void response.end("proxied"));
    const at = `http://127.0.0.1:${proxy.port}`;
    const program = `
      const { createSafeFetch } = await import(${JSON.stringify(new URL("../../src/safe/net/safe-fetch.ts", import.meta.url).href)});
      const fetch = createSafeFetch({ judge: (address) => ({ ok: true, canonical: address }) });
      const result = await fetch({ url: "http://public.example:${stage?.port}/", resolve: async () => ["${outside}"] });
      process.stdout.write(result.ok ? result.text() : result.code);`;
    const proxies = {
      HTTP_PROXY: at,
      http_proxy: at,
      HTTPS_PROXY: at,
      ALL_PROXY: at,
      NODE_USE_ENV_PROXY: "1",
    };
    const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", program], {
      env: { ...process.env, ...proxies },
    });
    expect(stdout).toBe("public page");
    expect(proxy.connections()).toBe(0);
    await proxy.close();
  });
});
