/** Starts a server once, before it is in any file: does it answer? */
import { parseConfigFile } from "../../../../config/file/parse-file.ts";
import type { PlacedUpstream } from "../../../../config/settings/upstream-settings.ts";
import type { UpstreamStatus } from "../../../../core/ports/upstream.ts";
import { openTools } from "../../../../open/open-tools.ts";
import { type CommonOptions, describeNotes, openEffective } from "../../open/effective-config.ts";
import { type CliIo, Interrupted } from "../../terminal/io.ts";
import { createProgress } from "../../terminal/progress.ts";
import type { ConfigText } from "./save-config.ts";

/** `written`: the file as it would be with the server. Its tools count as accepted, unless it asks for a review. */
export async function tryServer(
  name: string,
  written: ConfigText,
  options: CommonOptions,
  io: CliIo,
): Promise<UpstreamStatus | undefined> {
  const upstreams = entriesOf(name, written);
  // A file that could not be used is refused when it is written, with what is wrong.
  if (upstreams.length === 0) return undefined;
  const config = await openEffective(options, io);
  using progress = createProgress(io);
  progress.show(`Starting ${name}…`);
  await using open = await openTools(
    { ...config, settings: { ...config.settings, upstreams } },
    { durable: false, env: io.env, note: (text) => io.err(describeNotes([text], io)) },
  );
  await open.upstreams.look();
  // Whoever pressed Ctrl-C does not want it any more.
  if (io.signal.aborted) throw new Interrupted("Interrupted.");
  const [status] = open.upstreams.upstreams.status();
  return status;
}

function entriesOf(name: string, { file, text }: ConfigText): PlacedUpstream[] {
  const parsed = parseConfigFile(text, file, "config");
  const all = parsed.ok ? (parsed.file.settings.upstreams ?? []) : [];
  return all.filter((one) => one.name === name).map((one) => ({ ...one, tier: "user" }));
}
