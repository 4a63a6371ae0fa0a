/** What the routes that come with toolgate do here, for people who set it up. */
import { openConfig } from "../../../open/open-config.ts";
import { coloursFor } from "../terminal/colours.ts";
import type { CliIo } from "../terminal/io.ts";
import { formatTable } from "../terminal/table.ts";

export interface ShippedRoute {
  readonly name: string;
  readonly description: string;
}

/** Those that count in the current folder. */
export async function shippedRoutes({ cwd, env }: CliIo): Promise<readonly ShippedRoute[]> {
  const { rules } = await openConfig({ cwd, env });
  const shipped = (rules.routes ?? []).filter(({ tier }) => tier === "shipped");
  return shipped.map(({ name, description = "" }) => ({ name, description }));
}

export function describeShipped(routes: readonly ShippedRoute[], io: CliIo): string {
  if (routes.length === 0) return "";
  const { bold } = coloursFor(io);
  const rows = routes.map(({ name, description }) => [`  ${name}`, description]);
  return `
${bold("Routes that come with toolgate")} refuse a call and name a better way:
${formatTable(["  NAME", "WHAT IT REFUSES"], rows, io)}To switch them off, write into toolgate.yaml or your config.yaml: shipped: off, or shipped: [${routes[0]?.name}]
`;
}
