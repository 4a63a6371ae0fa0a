/** A real Chromium for tests of the console: that of CHROME_PATH, or the one that comes with @sparticuz/chromium. */
import chromium from "@sparticuz/chromium";
import { type Browser, type BrowserServer, chromium as driver } from "playwright-core";

export async function openBrowserServer(): Promise<BrowserServer> {
  const executablePath = process.env.CHROME_PATH ?? (await chromium.executablePath());
  // Not its own arguments: they switch off what is tested here, such as who may read whose pages.
  return driver.launchServer({
    executablePath,
    args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
  });
}

/** A connection to the one that one-server.ts has started. Closing it closes its contexts. */
export function openBrowser(): Promise<Browser> {
  return driver.connect(process.env.TOOLGATE_TEST_BROWSER ?? "");
}
