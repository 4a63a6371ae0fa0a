/** Loads the files beside the hook, compiled if they can be had compiled. */
import { Script } from "node:vm";
import { type KeptCode, readBytes, readKeptCode } from "./code-cache.ts";
import { toolgateBuild } from "./version.ts";

export interface LoadedPart {
  readonly script: Script;
  /** Undefined: V8 compiled it now. */
  readonly kept: KeptCode | undefined;
  readonly exports: unknown;
}

export class Parts {
  readonly loaded = new Map<string, LoadedPart>();
  readonly #partsOfNode = new Map<string, unknown>();
  readonly folder: string;
  /** Where compiled code is kept (nowhere: empty), and for which build, Node and flags it is good. */
  readonly codeStart: string;
  readonly codeFor: string;

  constructor(folder: string) {
    const { env, version, versions, arch, execPath, execArgv } = process;
    this.folder = folder;
    // Like `findFolders`, in short: should they ever differ, code is compiled twice.
    const cache = env.XDG_CACHE_HOME || env.LOCALAPPDATA || `${env.HOME}/.cache`;
    // A relative folder could be one of the project: its files must not become code.
    const isAbsolute = cache[0] === "/" || cache[1] === ":";
    this.codeStart = isAbsolute ? `${cache}/toolgate/code/${toolgateBuild()}-${version}-${arch}-` : "";
    this.codeFor = `${toolgateBuild()} ${versions.v8} ${execPath} ${execArgv} ${env.NODE_OPTIONS}`;
  }

  load(name: string): unknown {
    const known = this.loaded.get(name);
    if (known !== undefined) return known.exports;
    const filename = `${this.folder}/${name}.cjs`;
    const source = readBytes(filename, false);
    if (source === undefined) throw new Error(`${filename} cannot be read; install toolgate again`);
    const kept = this.codeStart === "" ? undefined : readKeptCode(this.codeStart + name, this.codeFor);
    // The build has put each part into a function, as Node does with a module, and uses ASCII only.
    const script = new Script(source.latin1Slice(), { filename, cachedData: kept?.data });
    const run = script.runInThisContext() as (load: (id: string) => unknown) => unknown;
    const exports = run((id) => (id[0] === "." ? this.load(id.slice(2, -4)) : this.#partOfNode(id)));
    this.loaded.set(name, { script, kept: script.cachedDataRejected === false ? kept : undefined, exports });
    return exports;
  }

  /** Each file of ours asks anew for the parts of Node that it uses, and Node looks them up anew. */
  #partOfNode(id: string): unknown {
    const known = this.#partsOfNode.get(id) ?? require(id);
    this.#partsOfNode.set(id, known);
    return known;
  }
}
