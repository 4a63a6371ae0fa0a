/** A real Chromium for tests of the console: that of CHROME_PATH, or the one that comes with @sparticuz/chromium. */
import chromium from "@sparticuz/chromium";
import { type Browser, chromium as driver } from "playwright-core";

export async function openBrowser(): Promise<Browser> {
  const executablePath = process.env.CHROME_PATH ?? (await chromium.executablePath());
  // Not its own arguments: they switch off what is tested here, such as who may read whose pages.
  return driver.launch({
    executablePath,
    args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
  });
}
