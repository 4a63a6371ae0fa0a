/** Whether this process is an upstream server of a toolgate, where it would start itself again and again. */
import { UPSTREAM_VARIABLE } from "../../../safe/process/process-table.ts";

/** Undefined: neither an upstream server nor started by one. */
export function explainInsideUpstream(env: Readonly<Record<string, string | undefined>>): string | undefined {
  if ((env[UPSTREAM_VARIABLE] ?? "") === "") return undefined;
  return `This toolgate was started by an upstream server of another one (${UPSTREAM_VARIABLE} is set), and would start the same servers again, without end.`;
}
