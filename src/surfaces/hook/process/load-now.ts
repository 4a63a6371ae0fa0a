/** Loads the configuration for a call now, and says how one sees later whether it is still the same. */
import { describeConfigProblem } from "../../../config/config-problem.ts";
import type { Environment } from "../../../config/folders.ts";
import { identityOf, isSettled, notThere } from "../../../config/rule-cache/input-identity.ts";
import { type ReadVariables, trackEnvironment } from "../../../config/rule-cache/tracked-environment.ts";
import type { StrangerReader } from "../../../config/trust/strangers.ts";
import { type OpenConfig, openConfig } from "../../../open/open-config.ts";

export interface LoadRequest {
  readonly cwd: string;
  readonly projectDir: string | undefined;
  readonly configFile: string | undefined;
  readonly shippedFile: string | undefined;
  readonly env: Environment;
  /** What was where before loading began, as far as it is known which paths matter. */
  readonly before: ReadonlyMap<string, string>;
  /** Who reads files that nobody vouches for. */
  readonly strangers?: StrangerReader | undefined;
}

/** By which one sees whether loading again would give the same. */
export interface LoadedFrom {
  /** Every file and folder that loading looked at, as it is now. */
  readonly inputs: readonly (readonly [path: string, identity: string])[];
  /** Nothing changed while it was loaded: what was read is what the identities stand for. */
  readonly settled: boolean;
  /** The variables that loading read. */
  readonly variables: ReadVariables;
}

export type LoadedNow = LoadedFrom &
  (
    | {
        readonly ok: true;
        readonly config: OpenConfig & { readonly compiled: { readonly ok: true } };
        readonly warnings: readonly string[];
      }
    /** Each with file, line and column where it has them. */
    | { readonly ok: false; readonly problems: readonly string[] }
  );

export async function loadNow(request: LoadRequest): Promise<LoadedNow> {
  const { cwd, projectDir, configFile, shippedFile, strangers } = request;
  const startedAt = Date.now();
  const place = `${projectDir ?? cwd}/`;
  const placeBefore = identityOf(place);
  const { env, read: variables } = trackEnvironment(request.env);
  const config = await openConfig({
    cwd,
    env,
    strangers,
    ...(projectDir !== undefined && { projectDir }),
    ...(configFile !== undefined && { configFile }),
    ...(shippedFile !== undefined && { shippedFile }),
  });
  const read = new Set(config.sources.map(({ file }) => file));
  const paths = [...config.inputs, place, `${config.projectDir}/`];
  const inputs = paths.map((path): [string, string] => [path, identityOf(path)]);
  const settled =
    identityOf(place) === placeBefore &&
    inputs.every(([path, now]) => {
      if (isSettled(path, startedAt)) return true;
      // Folders in which an agent works change all the time. It is enough that this path never was there.
      return now === notThere && request.before.get(path) === notThere && !read.has(path);
    });
  const from: LoadedFrom = { inputs, settled, variables: variables() };
  const { compiled } = config;
  if (!compiled.ok) return { ...from, ok: false, problems: compiled.problems.map(describeConfigProblem) };
  const ignored = config.ignored.map(
    ({ file, line, what, why }) =>
      `${file}${line === undefined ? "" : `:${line}`}: ${what} is ignored: ${why} (toolgate trust)`,
  );
  return { ...from, ok: true, config: { ...config, compiled }, warnings: [...ignored, ...config.notes] };
}
