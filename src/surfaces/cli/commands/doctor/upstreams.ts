/** What stands in the way of upstream servers, as far as it can be seen without starting them. */
import { ok, problem, type SetupFinding, warning } from "../../../../agents/setup-finding.ts";
import { messageOf } from "../../../../core/call/errors.ts";
import type { PinStore } from "../../../../core/ports/pins.ts";
import type { OpenConfig } from "../../../../open/open-config.ts";
import { openStoreParts } from "../../../../open/open-store.ts";
import { resolveUpstreams } from "../../../../open/resolve-upstreams.ts";
import { storeOf } from "../../../../open/store/find-store.ts";
import { findCommand } from "../../../../safe/process/find-command.ts";
import { reviewItems } from "../../../../sources/upstream/pins/review.ts";
import type { UpstreamSpec } from "../../../../sources/upstream/upstream-spec.ts";
import type { CliIo } from "../../terminal/io.ts";

const check = "upstreams";

export async function checkUpstreamServers(
  config: OpenConfig,
  { env }: Pick<CliIo, "env">,
): Promise<SetupFinding[]> {
  const specs = resolveUpstreams(config, env).filter(({ enabled }) => enabled);
  await using parts = openStoreParts(storeOf(config, { stateFolder: config.folders.state, env }));
  const findings: SetupFinding[] = [];
  for (const spec of specs)
    findings.push(...whyNotStarted(spec, env.PATH), ...(await waiting(spec, parts.pins)));
  if (specs.length === 0 || findings.length > 0) return findings;
  const names = specs.map(({ name }) => name).join(", ");
  return [ok(check, `Upstream servers: ${names}. Whether they answer: toolgate upstreams list --check`)];
}

function whyNotStarted(
  { name, problem: why, settings }: UpstreamSpec,
  path: string | undefined,
): SetupFinding[] {
  if (why !== undefined) return [problem(check, `The upstream ${name} cannot be used: ${why}`)];
  const { transport } = settings ?? {};
  if (transport?.kind !== "stdio" || findCommand(transport.command, path, transport.cwd) !== undefined)
    return [];
  const message = `The upstream ${name} cannot be started: there is no program ${transport.command}.`;
  return [problem(check, message, "Install it, or correct its `command`.")];
}

async function waiting({ name, key }: UpstreamSpec, pins: PinStore): Promise<SetupFinding[]> {
  try {
    const many = (await reviewItems(pins, name, key)).length;
    if (many === 0) return [];
    const message = `${many} ${many === 1 ? "tool" : "tools"} of the upstream ${name} ${many === 1 ? "is" : "are"} hidden until you accept ${many === 1 ? "it" : "them"}.`;
    return [warning(check, message, `toolgate upstreams review ${name}`)];
  } catch (error) {
    return [problem(check, messageOf(error))];
  }
}
