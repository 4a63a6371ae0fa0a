/** Decides about calls that a client runs itself, as a hook would; where no rule speaks, a person does. */
import { allAgents } from "../../../agents/all-agents.ts";
import type { OpenConfig } from "../../../open/open-config.ts";
import type { Store } from "../../../open/open-store.ts";
import { createProjectGates } from "../../hook/served/project-gates.ts";
import type { PermissionCheck } from "./permission-prompt.ts";

export interface PermissionCheckOptions {
  /** Whose files decide; they are read again when they change. */
  readonly config: Pick<OpenConfig, "request">;
  readonly store: Pick<Store, "ledger" | "approvals" | "grants" | "limits" | "tasks" | "redactText">;
  /** False: nobody answers, so what asks is refused. */
  readonly attended: boolean;
  readonly approvalTimeoutMs?: number | undefined;
}

export interface OpenPermissionCheck extends AsyncDisposable {
  readonly check: PermissionCheck;
}

export function createPermissionCheck(options: PermissionCheckOptions): OpenPermissionCheck {
  const { config, ...shared } = options;
  const { cwd, env, projectDir, configFile } = config.request;
  const gates = {
    ask: createProjectGates({ ...shared, configFile, undecided: "ask" }),
    abstain: createProjectGates({ ...shared, configFile }),
  };
  const name = allAgents.find(({ asksByMcpTool }) => asksByMcpTool === true)?.name ?? "neutral";
  const place = { cwd, projectDir, env };
  return {
    async check(call, { undecided }) {
      const found = await gates[undecided].find(place);
      if (!found.ok) return { verdict: "deny", message: found.message };
      const result = await found.gate.check({ ...call, agent: { name } });
      const { outdated } = found;
      return outdated === undefined || result.verdict !== "deny"
        ? result
        : { ...result, message: `${result.message}\n${outdated}` };
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([gates.ask.close(), gates.abstain.close()]);
    },
  };
}
