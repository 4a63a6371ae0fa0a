/** How the browser is started: nothing of its own on the network, and no way out but the proxy. */

export interface ChromePlace {
  readonly profile: string;
  readonly proxyPort: number;
  readonly sandbox: boolean;
}

export const viewport = { width: 1280, height: 800 } as const;

export function chromeArguments({ profile, proxyPort, sandbox }: ChromePlace): string[] {
  return [
    "--headless",
    // A pipe that only we hold. A port would be open to every program of this machine.
    "--remote-debugging-pipe",
    `--user-data-dir=${profile}`,
    `--window-size=${viewport.width},${viewport.height}`,
    ...(sandbox ? [] : ["--no-sandbox"]),
    ...network(proxyPort),
    ...quiet,
    "about:blank",
  ];
}

/**
 * All connections go to the proxy, those to this machine too (`<-loopback>`). Names are resolved by the proxy
 * alone: what would go past it finds no address. WebRTC and QUIC, which do not use proxies, are off.
 */
function network(proxyPort: number): string[] {
  return [
    `--proxy-server=http://127.0.0.1:${proxyPort}`,
    "--proxy-bypass-list=<-loopback>",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    "--disable-quic",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--dns-prefetch-disable",
    "--no-pings",
  ];
}

/** No windows, prompts, updates or reports, and nothing that looks for devices in the network. */
const quiet = [
  "--block-new-web-contents",
  "--deny-permission-prompts",
  "--disable-background-networking",
  "--disable-breakpad",
  "--disable-client-side-phishing-detection",
  "--disable-component-extensions-with-background-pages",
  "--disable-component-update",
  "--disable-crash-reporter",
  "--disable-default-apps",
  "--disable-dev-shm-usage",
  "--disable-domain-reliability",
  "--disable-extensions",
  "--disable-field-trial-config",
  "--disable-notifications",
  "--disable-print-preview",
  "--disable-search-engine-choice-screen",
  "--disable-speech-api",
  "--disable-sync",
  "--hide-scrollbars",
  "--metrics-recording-only",
  "--mute-audio",
  "--no-default-browser-check",
  "--no-first-run",
  "--no-service-autorun",
  "--password-store=basic",
  "--use-mock-keychain",
  `--disable-features=${[
    // A page that is fetched in advance would be shown without having been judged as a page.
    ...["Prerender2", "SpeculationRulesPrefetchProxy", "PreloadMediaEngagementData"],
    ...["MediaRouter", "DialMediaRouteProvider", "GlobalMediaControls", "Translate", "OptimizationHints"],
    ...["AutofillServerCommunication", "CertificateTransparencyComponentUpdater", "DirectSockets"],
    ...["WebBluetooth", "WebUSB", "HttpsUpgrades", "InterestFeedContentSuggestions"],
  ].join(",")}`,
];
