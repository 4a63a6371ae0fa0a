/**
 * Finds the Claude Agent SDK where the person who runs toolgate has put it. Never in the folder of a session:
 * its files are the agent's, and what is loaded here runs with all that toolgate may do.
 */
import { readFileSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { isInside } from "../../../core/input/inside-folder.ts";
import { quietly } from "../../../core/run/quietly.ts";
import { RunnerError } from "../../runner.ts";
import { readSdk, type Sdk, sdkPackage } from "./sdk.ts";

export interface SdkPlace {
  /** Folders beside whose `node_modules` it may be, besides toolgate's own. */
  readonly lookIn: readonly string[];
  /** The agent's program, where it is not the one that comes with the SDK. */
  readonly executable: string | undefined;
}

/** Undefined: all is there. */
export function explainMissingSdk(place: SdkPlace): string | undefined {
  const file = findSdk(place);
  if (file === undefined) return `The Claude Agent SDK is not installed. ${howToInstall(place)}`;
  const version = versionOf(file);
  if (!isNewEnough(version))
    return `The Claude Agent SDK at ${dirname(file)} is version ${version}; 0.3 or later is needed. ${howToInstall(place)}`;
  if (place.executable !== undefined || hasProgram(file)) return undefined;
  return `The Claude Agent SDK at ${dirname(file)} lacks the program for ${process.platform}-${process.arch}: its optional package ${programPackages()[0]} was left out. ${howToInstall(place)}`;
}

export async function loadSdk(place: SdkPlace, sessionFolder: string): Promise<Sdk> {
  const missing = explainMissingSdk(place);
  const file = findSdk(place);
  if (missing !== undefined || file === undefined) throw new RunnerError("runner_missing", missing ?? "");
  refuseInside(file, sessionFolder);
  return readSdk(await import(pathToFileURL(file).href));
}

/** Also asked about the program that the SDK wants to start. */
export function refuseInside(file: string, sessionFolder: string): void {
  const real = quietly(() => realpathSync(file)) ?? file;
  if (!isInside(real, sessionFolder)) return;
  throw new RunnerError(
    "runner_missing",
    `${real} is in the folder of the session, where the agent could change it, and is not used. Install toolgate and ${sdkPackage} elsewhere: \`npm install -g toolgate ${sdkPackage}\`.`,
  );
}

function findSdk({ lookIn }: SdkPlace): string | undefined {
  for (const folder of [dirname(fileURLToPath(import.meta.url)), ...lookIn]) {
    const file = quietly(() => createRequire(join(folder, "from-here.js")).resolve(sdkPackage));
    if (file !== undefined) return file;
  }
  return undefined;
}

function versionOf(file: string): string {
  const about = quietly(() => JSON.parse(readFileSync(join(dirname(file), "package.json"), "utf8")));
  return typeof about?.version === "string" ? about.version : "unknown";
}

/** Older ones let a call run when the hook that should decide about it fails. */
function isNewEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > 0 || minor >= 3;
}

function hasProgram(file: string): boolean {
  const { resolve } = createRequire(file);
  return programPackages().some((name) => quietly(() => resolve(`${name}/package.json`)) !== undefined);
}

function programPackages(): readonly string[] {
  const name = `${sdkPackage}-${process.platform}-${process.arch}`;
  return [name, `${name}-musl`];
}

function howToInstall({ lookIn }: SdkPlace): string {
  const [folder] = lookIn;
  const beside = folder === undefined ? "" : `, or \`npm install --prefix ${folder} ${sdkPackage}\``;
  return `Install it beside toolgate, with its optional packages: \`npm install -g ${sdkPackage}\`${beside}.`;
}
