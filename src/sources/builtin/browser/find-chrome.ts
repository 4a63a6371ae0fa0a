/** Finds the machine's Chrome or Chromium. One in the workspace does not count: it could be anything. */
import { accessSync, constants, statSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import type { Failed } from "../../../core/call/tool-answer.ts";
import { quietly } from "../../../core/run/quietly.ts";
import { findProgram } from "../../../safe/process/find-program.ts";

export type FoundChrome = { readonly ok: true; readonly path: string } | Failed;

const names = [
  ...["google-chrome", "google-chrome-stable", "chrome", "chromium", "chromium-browser"],
  ...["chrome-headless-shell", "headless_shell", "microsoft-edge", "microsoft-edge-stable"],
];

export function findChrome(
  given: string | undefined,
  roots: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): FoundChrome {
  const named = given ?? env.CHROME_PATH;
  if (named !== undefined && named !== "") {
    if (isAbsolute(named) && isProgram(named)) return { ok: true, path: named };
    const where = given === undefined ? "CHROME_PATH" : "The configured browser";
    return missing(`${where} is ${JSON.stringify(named)}, which is not the absolute path of a program.`);
  }
  const onPath = names.map((name) => findProgram(name, roots, env.PATH)).find((path) => path !== undefined);
  const path = onPath ?? usualPlaces(env).find(isProgram);
  return path === undefined ? missing("There is no Chrome or Chromium on this machine.") : { ok: true, path };
}

function usualPlaces(env: NodeJS.ProcessEnv): string[] {
  if (process.platform === "darwin")
    return ["Google Chrome", "Chromium", "Microsoft Edge"].map(
      (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
    );
  if (process.platform !== "win32") return ["/opt/google/chrome/chrome", "/snap/bin/chromium"];
  const folders = [env.PROGRAMFILES, env["PROGRAMFILES(X86)"], env.LOCALAPPDATA];
  const files = ["Google\\Chrome\\Application\\chrome.exe", "Microsoft\\Edge\\Application\\msedge.exe"];
  return folders.flatMap((folder) => (folder === undefined ? [] : files.map((file) => join(folder, file))));
}

function isProgram(path: string): boolean {
  const found = quietly(() => {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  });
  return found === true;
}

function missing(why: string): Failed {
  const how =
    "Ask a person to install one (Debian: apt install chromium) or to name it by CHROME_PATH in the environment of toolgate. Until then read pages with web.fetch.";
  return { ok: false, code: "no_browser", message: `${why} ${how}` };
}
