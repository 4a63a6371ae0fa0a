import { describe, expect, it } from "vitest";
import { chromium } from "../chromium.ts";
import { byTier } from "../tier.ts";
import { browserGate } from "../unit/sources/builtin/browser/browser-gate.ts";
import { serveHostile } from "./browser-world.ts";

const why = "missing" in chromium ? ` (skipped: ${chromium.missing})` : "";

describe.skipIf("missing" in chromium)(`a page that overdoes it${why}`, () => {
  const pages: Record<string, string> = {
    "/fine": "<title>fine</title>fine",
    "/endless": "<title>endless</title>endless<script>setTimeout(()=>{for(;;);},300)</script>",
    "/log":
      "<title>log</title>log<script>let n=0;setInterval(()=>{for(let i=0;i<500;i++)console.error('x'.repeat(200)+n++)},5)</script>",
    "/ask":
      "<title>ask</title>ask<script>let n=0;setInterval(()=>{for(let i=0;i<50;i++)fetch('/n?'+n++,{mode:'no-cors'}).catch(()=>{})},5)</script>",
    "/alert": "<title>alert</title>alert<script>setInterval(()=>alert('again'),1)</script>",
    "/go":
      "<title>go</title>go<script>setInterval(()=>{location.href='http://127.0.0.1:1/'+Math.random()},1)</script>",
    "/long": "<title>long</title><body><script>document.body.textContent='long words '.repeat(8e6)</script>",
    "/deep":
      "<title>deep</title>deep<script>let e=document.body;for(let i=0;i<3000;i++){const b=document.createElement('div');b.setAttribute('role','button');e.append(b);e=b}</script>",
    "/many":
      "<title>many</title><script>for(let i=0;i<5000;i++){const b=document.createElement('button');b.textContent='b'+i;document.body.append(b)}</script>",
    "/tall":
      "<title>tall</title><div style='height:1000000px;width:90000px;background:linear-gradient(red,blue)'>tall</div>",
    "/lie":
      "<title>lie</title>lie<script>Object.defineProperty(Element.prototype,'scrollHeight',{get:()=>1e300});JSON.stringify=()=>{throw 1};Array.prototype.map=null</script>",
    "/hidden": "<title>h\u202eidden</title>shown\u200b\u202e text<div style='display:none'>unseen</div>",
  };

  const tried = byTier(["/endless", "/alert", "/go", "/many", "/lie"], Object.keys(pages));

  it.each(tried)("%s: every call ends in time, and the next page works", async (path) => {
    const page = await serveHostile((asked) => pages[asked] ?? (asked === "/n" ? "" : undefined));
    const { dispatch, answer } = await browserGate({ allowPrivate: [page.host] });
    const before = process.memoryUsage().rss;
    const slowest: string[] = [];
    const timed = async (tool: string, input: object) => {
      const from = performance.now();
      const { result, ...end } = await dispatch(tool, input);
      const took = performance.now() - from;
      if (took > 40_000) slowest.push(`${tool} ${Math.round(took)}`);
      const size = Buffer.byteLength(JSON.stringify(result ?? end));
      expect(size, tool).toBeLessThan(tool === "browser.screenshot" ? 6_000_000 : 130_000);
    };
    await timed("browser.open", { url: `${page.base}${path}` });
    await timed("browser.read", {});
    await timed("browser.screenshot", { fullPage: true });
    await timed("browser.click", { selector: "#none" });
    expect((await answer("browser.open", { url: `${page.base}/fine` })).data.title).toBe("fine");
    expect((await answer("browser.read")).text).toContain("fine");
    expect(slowest).toEqual([]);
    expect((process.memoryUsage().rss - before) / 1e6).toBeLessThan(300);
  });
});
