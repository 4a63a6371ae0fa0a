import { describe, expect, it } from "vitest";
import { chromium } from "../chromium.ts";
import { browserGate } from "../unit/sources/builtin/browser/browser-gate.ts";
import { serveHostile, setDatagramTrap, setTrap, until } from "./browser-world.ts";

const why = "missing" in chromium ? ` (skipped: ${chromium.missing})` : "";

describe.skipIf("missing" in chromium)(`a hostile page${why}`, () => {
  it("reaches nothing but its own host, by whatever a script can do", async () => {
    const trap = await setTrap();
    const udp = await setDatagramTrap();
    const t = `127.0.0.1:${trap.port}`;
    const page = await serveHostile((path) => {
      if (path === "/")
        return `<title>x</title><body>page<script>
        const log=(n,p)=>Promise.resolve().then(p).then(v=>report(n+': OK '+String(v).slice(0,80)),e=>report(n+': '+e));
        const report=(x)=>fetch('/report?'+encodeURIComponent(x));
        log('fetch', ()=>fetch('http://${t}/f').then(r=>r.text()));
        log('fetch no-cors', ()=>fetch('http://${t}/f',{mode:'no-cors'}).then(r=>r.type));
        log('metadata', ()=>fetch('http://169.254.169.254/latest/',{mode:'no-cors'}).then(r=>r.type));
        log('mapped', ()=>fetch('http://[::ffff:127.0.0.1]:${trap.port}/',{mode:'no-cors'}).then(r=>r.type));
        log('decimal', ()=>fetch('http://2130706433:${trap.port}/',{mode:'no-cors'}).then(r=>r.type));
        log('localhost', ()=>fetch('http://localhost:${trap.port}/',{mode:'no-cors'}).then(r=>r.type));
        log('sub.localhost', ()=>fetch('http://a.localhost:${trap.port}/',{mode:'no-cors'}).then(r=>r.type));
        log('https', ()=>fetch('https://${t}/',{mode:'no-cors'}).then(r=>r.type));
        log('redirect', ()=>fetch('/to-trap',{mode:'no-cors'}).then(r=>r.type));
        log('file', ()=>fetch('file:///etc/passwd').then(r=>r.text()));
        log('xhr file', ()=>new Promise((y,n)=>{const x=new XMLHttpRequest();x.open('GET','file:///etc/passwd');x.onload=()=>y(x.responseText);x.onerror=()=>n('error');x.send()}));
        log('ws', ()=>new Promise((y,n)=>{const w=new WebSocket('ws://${t}/');w.onopen=()=>y('open');w.onerror=()=>n('error')}));
        log('wss', ()=>new Promise((y,n)=>{const w=new WebSocket('wss://localhost:${trap.port}/');w.onopen=()=>y('open');w.onerror=()=>n('error')}));
        log('es', ()=>new Promise((y,n)=>{const w=new EventSource('http://${t}/es');w.onopen=()=>y('open');w.onerror=()=>n('error')}));
        log('beacon', ()=>navigator.sendBeacon('http://${t}/b','x'));
        log('img', ()=>new Promise((y,n)=>{const i=new Image();i.onload=()=>y('load');i.onerror=()=>n('error');i.src='http://${t}/i.png'}));
        log('iframe', ()=>new Promise((y)=>{const i=document.createElement('iframe');i.onload=()=>y('load');i.src='http://${t}/frame';document.body.append(i)}));
        log('iframe file', ()=>new Promise((y)=>{const i=document.createElement('iframe');i.onload=()=>y('load');i.src='file:///etc/passwd';document.body.append(i);setTimeout(()=>y('to'),1000)}));
        log('iframe data', ()=>new Promise((y)=>{const i=document.createElement('iframe');i.onload=()=>y('load');i.src='data:text/html,<script>fetch("http://${t}/d",{mode:"no-cors"})<\\/script>';document.body.append(i)}));
        log('iframe blob', ()=>new Promise((y)=>{const i=document.createElement('iframe');i.onload=()=>y('load');i.src=URL.createObjectURL(new Blob(['<script>fetch("http://${t}/d",{mode:"no-cors"})<\\/script>'],{type:'text/html'}));document.body.append(i)}));
        log('iframe srcdoc', ()=>new Promise((y)=>{const i=document.createElement('iframe');i.onload=()=>y('load');i.srcdoc='<script>fetch("http://${t}/d",{mode:"no-cors"})<\\/script>';document.body.append(i)}));
        log('object', ()=>new Promise((y)=>{const i=document.createElement('object');i.onload=()=>y('load');i.onerror=()=>y('error');i.data='http://${t}/o';document.body.append(i)}));
        for (const rel of ['prefetch','preconnect','dns-prefetch','prerender','preload','modulepreload','stylesheet','icon','manifest']) {const l=document.createElement('link');l.rel=rel;l.href='http://${t}/'+rel;l.as='script';document.head.append(l);}
        {const s=document.createElement('script');s.type='speculationrules';s.textContent=JSON.stringify({prerender:[{source:'list',urls:['http://${t}/spec','/spec']}],prefetch:[{source:'list',urls:['http://${t}/spec2']}]});document.head.append(s);}
        log('worker', ()=>new Promise((y,n)=>{const w=new Worker(URL.createObjectURL(new Blob(['fetch("http://${t}/w",{mode:"no-cors"}).then(r=>postMessage(r.type),e=>postMessage(String(e)))'])));w.onmessage=e=>y(e.data);w.onerror=e=>n('error '+e.message)}));
        log('shared worker', ()=>new Promise((y,n)=>{const w=new SharedWorker('/shared.js');w.port.onmessage=e=>y(e.data);w.onerror=e=>n('error')}));
        log('service worker', ()=>navigator.serviceWorker.register('/sw.js').then(r=>'registered'));
        log('rtc', async()=>{const c=new RTCPeerConnection({iceServers:[{urls:'stun:127.0.0.1:${udp.port}'},{urls:'turn:127.0.0.1:${udp.port}?transport=udp',username:'a',credential:'b'},{urls:'turn:127.0.0.1:${trap.port}?transport=tcp',username:'a',credential:'b'}]});c.createDataChannel('x');const got=[];c.onicecandidate=e=>got.push(e.candidate&&e.candidate.candidate);await c.setLocalDescription(await c.createOffer());await new Promise(r=>setTimeout(r,1500));return JSON.stringify(got)});
        log('webtransport', ()=>new WebTransport('https://127.0.0.1:${udp.port}/').ready);
        log('open', ()=>String(window.open('http://${t}/open')));
        log('open blank', ()=>{const w=window.open('about:blank'); w.location='http://${t}/blank'; return 'opened'});
        log('geo', ()=>new Promise((y,n)=>navigator.geolocation.getCurrentPosition(y,e=>n(e.message))));
        log('clipboard', ()=>navigator.clipboard.readText());
        log('notification', ()=>Notification.requestPermission());
        log('fs', ()=>showOpenFilePicker());
        log('usb', ()=>navigator.usb.requestDevice({filters:[]}));
        log('bt', ()=>navigator.bluetooth.requestDevice({acceptAllDevices:true}));
        log('print', ()=>{window.print(); return 'printed'});
        log('css', ()=>{document.body.style.backgroundImage='url(http://${t}/css)'; return 'set'});
        log('font', ()=>new FontFace('x','url(http://${t}/font)').load());
        log('video', ()=>new Promise((y,n)=>{const v=document.createElement('video');v.onerror=()=>n('error');v.oncanplay=()=>y('can');v.src='http://${t}/v';document.body.append(v)}));
        log('track ping', ()=>{const a=document.createElement('a');a.href='#x';a.ping='http://${t}/ping';document.body.append(a);a.click();return 'clicked'});
        log('form', ()=>{const f=document.createElement('form');f.method='post';f.target='fr';f.action='http://${t}/form';document.body.append(f);const i=document.createElement('iframe');i.name='fr';document.body.append(i);f.submit();return 'sent'});
        log('import', ()=>import('http://${t}/m.js'));
        log('csp report', ()=>{new ReportingObserver(()=>{}).observe();return 'x'});
        log('download', ()=>{const a=document.createElement('a');a.href='/file.bin';a.download='x.bin';document.body.append(a);a.click();return 'clicked'});
      </script>`;
      if (path === "/to-trap") return { status: 302, headers: { location: `http://${t}/r` } };
      if (path === "/shared.js")
        return {
          headers: { "content-type": "text/javascript" },
          body: `onconnect=e=>fetch("http://${t}/sw",{mode:"no-cors"}).then(r=>e.ports[0].postMessage(r.type),x=>e.ports[0].postMessage(String(x)))`,
        };
      if (path === "/sw.js")
        return {
          headers: { "content-type": "text/javascript" },
          body: `fetch("http://${t}/sw",{mode:"no-cors"})`,
        };
      if (path === "/file.bin") return { headers: { "content-type": "application/octet-stream" }, body: "x" };
      return path === "/report" ? "" : undefined;
    });
    const { answer } = await browserGate({ allowPrivate: [page.host] });
    const opened = await answer("browser.open", { url: `${page.base}/` });
    const reported = () => page.asked.map(decodeURIComponent).filter((path) => path.startsWith("/report?"));
    // The last ones: WebRTC looks for a while.
    await until(() => reported().some((one) => one.includes("rtc")) && reported().length > 40);
    const said = reported().map((one) => one.slice("/report?".length));
    expect(said).toContain("rtc: OK [null]");
    expect(said).toContain("open: OK null");
    expect(said.filter((one) => /SECRET|OK open|root:|OK load$/.test(one) && !/iframe/.test(one))).toEqual(
      [],
    );
    expect(page.asked).not.toContain("/sw.js");
    expect(opened.text).toContain(
      `Refused to connect to ${t}: The host 127.0.0.1 is not on the public internet`,
    );
    expect((await answer("browser.read")).text).not.toContain("SECRET");
    expect([trap.connections(), udp.connections()]).toEqual([0, 0]);
  });
});
