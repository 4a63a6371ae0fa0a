import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { chromium } from "../chromium.ts";
import { browserGate } from "../unit/sources/builtin/browser/browser-gate.ts";
import { rule } from "../unit/sources/rule.ts";
import { descendants, type HostileAnswer, serveHostile, setTrap, until } from "./browser-world.ts";

const why = "missing" in chromium ? ` (skipped: ${chromium.missing})` : "";

describe.skipIf("missing" in chromium)(`a page that leads elsewhere${why}`, () => {
  it("gets to no private address, file or inner page, whatever way it takes", async () => {
    const trap = await setTrap();
    const t = `http://127.0.0.1:${trap.port}`;
    const go = (code: string) => `<title>start</title><body>start<script>${code}</script>`;
    const moved = (location: string, status = 302) => ({ status, headers: { location } });
    const ways: Record<string, HostileAnswer> = {
      "/http-redirect": moved(`${t}/secret`),
      "/http-redirect-307": moved(`${t}/secret`, 307),
      "/redirect-metadata": moved("http://169.254.169.254/latest/meta-data/"),
      "/redirect-mapped": moved(`http://[::ffff:7f00:1]:${trap.port}/`),
      "/redirect-decimal": moved(`http://2130706433:${trap.port}/`),
      "/redirect-octal": moved(`http://0177.0.0.1:${trap.port}/`),
      "/redirect-zero": moved(`http://0:${trap.port}/`),
      "/redirect-six": moved(`http://[::1]:${trap.port}/`),
      "/redirect-user": moved(`http://user:pw@127.0.0.1:${trap.port}/`),
      "/redirect-file": moved("file:///etc/passwd"),
      "/redirect-data": moved("data:text/html,inner"),
      "/refresh-header": { headers: { refresh: `0; url=${t}/secret` }, body: "start" },
      "/meta-refresh": `<meta http-equiv="refresh" content="0; url=${t}/secret">start`,
      "/script": go(`location.href="${t}/secret"`),
      "/replace": go(`location.replace("${t}/secret")`),
      "/form": go(
        `const f=document.createElement("form");f.method="post";f.action="${t}/secret";document.body.append(f);f.submit()`,
      ),
      "/file": go(`location.href="file:///etc/passwd"`),
      "/data": go(`location.href="data:text/html,inner"`),
      "/blob": go(`location.href=URL.createObjectURL(new Blob(["inner"],{type:"text/html"}))`),
      "/chrome": go(`location.href="chrome://version"`),
      "/view-source": go(`location.href="view-source:${t}/secret"`),
      "/extension": go(`location.href="chrome-extension://mhjfbmdgcfjbbpaeojofohoefgiehjai/index.html"`),
      "/devtools": go(`location.href="devtools://devtools/bundled/inspector.html"`),
      "/about": go(`location.href="about:version"`),
      "/filesystem": go(`location.href="filesystem:${t}/temporary/x"`),
      "/mail": go(`location.href="mailto:a@example.org"`),
      "/ftp": go(`location.href="ftp://127.0.0.1:${trap.port}/"`),
      "/top-from-frame": `<title>start</title>start<iframe srcdoc="<script>top.location='${t}/secret'</script>"></iframe>`,
    };
    const page = await serveHostile((path) => ways[path]);
    const { answer, dispatch } = await browserGate({ allowPrivate: [page.host] });
    for (const way of Object.keys(ways)) {
      await dispatch("browser.open", { url: `${page.base}${way}` });
      await until(() => page.asked.includes(way));
      const { text, data } = await answer("browser.read");
      expect(text, way).not.toMatch(/SECRET|root:|inner|Chromium.*version/);
      expect(String(data.url), way).toMatch(
        new RegExp(`^(?:${page.base}/|about:blank|chrome-error://chromewebdata/)`),
      );
      await answer("browser.open", { url: `${page.base}/meta-refresh?x` }).catch(() => {});
    }
    expect(trap.connections()).toBe(0);
  });

  it("cannot use a name that leads to this machine, at first sight or later", async () => {
    const trap = await setTrap();
    const page = await serveHostile(() => "<title>start</title>start");
    let asked = 0;
    const resolve = async (host: string) => {
      if (host === "inner.example") return ["127.0.0.1"];
      if (host === "both.example") return ["93.184.216.34", "127.0.0.1"];
      asked += 1;
      return asked % 2 === 1 ? ["93.184.216.34"] : ["127.0.0.1"];
    };
    const { failure } = await browserGate({ allowPrivate: [page.host], resolve });
    for (const host of ["inner.example", "both.example", "rebinding.example"]) {
      const { message } = await failure("browser.open", { url: `http://${host}:${trap.port}/` });
      expect(message, host).toMatch(/is not on the public internet|502|could not be loaded|was not opened/);
    }
    expect(asked).toBeGreaterThanOrEqual(2);
    expect(trap.connections()).toBe(0);
  });

  it("is followed to another host only where the rules let a call of its own go", async () => {
    const other = await serveHostile(() => "<title>other</title>other");
    const page = await serveHostile((path) =>
      path === "/denied-frame"
        ? `<title>start</title>start<iframe src="http://localhost:${other.port}/in-frame"></iframe><img src="http://localhost:${other.port}/img">`
        : `<title>start</title><a id="to" href="http://localhost:${other.port}/">there</a><a id="here" href="/two">two</a>`,
    );
    const both = [page.host, `localhost:${other.port}`];
    const open = rule("approve", "browser.open", [["url", "startsWith", page.base]]);
    const rest = rule("approve", ["browser.click", "browser.read"]);
    const deny = rule("deny", "browser.open", [["url", "inside", "localhost"]], { priority: 10 });
    const enable = { enabledCategories: ["browser"] };
    const asking = await browserGate({ allowPrivate: both }, { enable, policies: [open, rest] });
    await asking.answer("browser.open", { url: `${page.base}/` });
    const refused = await asking.answer("browser.click", { selector: "#to" });
    expect(refused.text).toContain("Call browser.open with it if it is wanted.");
    expect(refused.data.url).toBe(`${page.base}/`);
    expect((await asking.answer("browser.click", { selector: "#here" })).data.url).toBe(`${page.base}/two`);
    expect(await asking.code("browser.open", { url: `http://localhost:${other.port}/` })).toBe("no_approver");
    expect(other.asked).toEqual([]);

    const denying = await browserGate({ allowPrivate: both }, { enable, policies: [open, rest, deny] });
    expect(
      await denying.code("browser_action", { action: "launch", url: `http://localhost:${other.port}/` }),
    ).toBe("policy_denied");
    await denying.answer("browser.open", { url: `${page.base}/denied-frame` });
    expect((await denying.answer("browser.read")).text).not.toContain("other");
    expect(other.asked).toEqual([]);
  });

  it("opens no window, saves no file, and is given none", async () => {
    const page = await serveHostile((path) => {
      if (path === "/file.bin") return { headers: { "content-disposition": "attachment" }, body: "x" };
      if (path !== "/") return `<title>${path}</title>`;
      return `<title>start</title><a id="blank" target="_blank" href="/popup">p</a><button onclick="window.open('/opened')">o</button>
        <a id="save" href="/file.bin" download>d</a><a id="sent" href="/file.bin">d</a><input type="file" id="file"><script>alert("hi")</script>`;
    });
    const { answer, failure, code } = await browserGate({ allowPrivate: [page.host] });
    expect((await answer("browser.open", { url: `${page.base}/` })).text).toContain(
      "(alert), which was dismissed: hi",
    );
    for (const [selector, told] of [
      ["#blank", "Refused a new window for"],
      ["button", "Refused a new window for"],
      ["#save", "Refused to download"],
      ["#sent", "Refused to download"],
      ["#file", "The page asked for a file."],
    ]) {
      const { text, data } = await answer("browser.click", { selector });
      expect(text, selector).toContain(told);
      expect(data.url, selector).toBe(`${page.base}/`);
    }
    expect(await code("browser.type", { selector: "#file", text: "/etc/passwd" })).toBe("page_failed");
    expect((await failure("browser.open", { url: `${page.base}/file.bin` })).message).toContain(
      "fetch it with web.fetch",
    );
    expect(page.asked).not.toContain("/popup");
    expect(page.asked).not.toContain("/opened");
  });

  it("finds no port of the browser open, and the browser has no secret of ours", async () => {
    vi.stubEnv("TOOLGATE_TEST_SECRET", "s3cret");
    onTestFinished(() => void vi.unstubAllEnvs());
    const page = await serveHostile(() => "<title>start</title>start");
    const { answer } = await browserGate({ allowPrivate: [page.host] });
    await answer("browser.open", { url: `${page.base}/` });
    const tree = descendants().filter(({ pid }) =>
      readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("--"),
    );
    expect(tree.length).toBeGreaterThan(1);
    for (const { pid } of tree) expect(listening(pid)).toEqual([]);
    for (const { pid } of tree) expect(readFileSync(`/proc/${pid}/environ`, "utf8")).not.toContain("s3cret");
  });
});

/** Sockets of a process on which somebody could knock. */
function listening(pid: number): string[] {
  const held = new Set(
    readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      try {
        return readlinkSync(`/proc/${pid}/fd/${fd}`);
      } catch {
        return [];
      }
    }),
  );
  const lines = ["tcp", "tcp6"].flatMap((kind) =>
    readFileSync(`/proc/${pid}/net/${kind}`, "utf8").split("\n").slice(1),
  );
  return lines.filter((line) => {
    const [, local = "", , state, , , , , , inode = ""] = line.trim().split(/\s+/);
    return state === "0A" && local !== "" && held.has(`socket:[${inode}]`);
  });
}
