/** Hands an address to the user's browser, which outlives us. */
import { spawn } from "node:child_process";

/** False: there is no program for it. The address is one argument, and no shell reads it. */
export function openUrl(url: string): Promise<boolean> {
  const { protocol, href } = new URL(url);
  // What is opened is a page, never a file or a program.
  if (protocol !== "http:" && protocol !== "https:") return Promise.resolve(false);
  const [command, args] = opener(href);
  return new Promise((resolve) => {
    const child = spawn(command, args, { detached: true, stdio: "ignore", shell: false });
    child.once("error", () => resolve(false));
    child.once("spawn", () => {
      child.unref();
      resolve(true);
    });
  });
}

function opener(href: string): readonly [string, string[]] {
  if (process.platform === "darwin") return ["open", [href]];
  if (process.platform === "win32") return ["rundll32", ["url.dll,FileProtocolHandler", href]];
  return ["xdg-open", [href]];
}
