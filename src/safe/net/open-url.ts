/** Hands an address to the user's browser, which outlives us. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { replacePrivateFile } from "../files/private-file.ts";

export interface OpenOptions {
  /** Only the user can read it. What comes behind `#` stands in a file there, wherever others could see it on a command line. */
  readonly privateFolder: string;
  readonly platform?: NodeJS.Platform;
}

/** False: there is no program for it. The address is one argument, and no shell reads it. */
export function openUrl(url: string, options: OpenOptions): Promise<boolean> {
  const { protocol, href } = new URL(url);
  // What is opened is a page, never a file or a program of somebody else.
  if (protocol !== "http:" && protocol !== "https:") return Promise.resolve(false);
  const [command, args] = opener(href, options);
  return new Promise((resolve) => {
    const child = spawn(command, args, { detached: true, stdio: "ignore", shell: false });
    child.once("error", () => resolve(false));
    child.once("spawn", () => {
      child.unref();
      resolve(true);
    });
  });
}

export function opener(
  href: string,
  { privateFolder, platform = process.platform }: OpenOptions,
): readonly [string, string[]] {
  // Every user of a Mac sees the arguments of every process, and its sockets do not tell whose they are.
  if (platform === "darwin")
    return ["open", [href.includes("#") ? writeRedirect(href, privateFolder) : href]];
  if (platform === "win32") return ["rundll32", ["url.dll,FileProtocolHandler", href]];
  return ["xdg-open", [href]];
}

/** Always the same file: the next link takes the place of this one. */
function writeRedirect(href: string, folder: string): string {
  const file = join(folder, "open-in-browser.html");
  const address = href.replaceAll("&", "&amp;").replaceAll('"', "%22");
  replacePrivateFile(
    file,
    `<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0;url=${address}">\n`,
  );
  return file;
}
