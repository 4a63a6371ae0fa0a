/** The checks that every real agent passes. Its adapter's abilities decide what is expected, and no more than that may happen. */
import { describe, expect, it } from "vitest";
import type { AgentAbilities, AgentSetup } from "../../../src/agents/agent-setup.ts";
import { findAgent } from "../../../src/agents/all-agents.ts";
import { checkDoctor } from "./check-doctor.ts";
import { checkFailures } from "./check-failures.ts";
import { checkInstallation } from "./check-installation.ts";
import { checkMatrix } from "./check-matrix.ts";
import { checkPeople } from "./check-people.ts";
import { checkRules } from "./check-rules.ts";
import type { RealAgent } from "./real-agent.ts";

export interface Checked {
  readonly agent: RealAgent;
  readonly setup: AgentSetup;
  readonly abilities: AgentAbilities;
}

export async function checkRealAgent(agent: RealAgent): Promise<void> {
  const setup = await findAgent(agent.name)?.loadSetup();
  const { name, version } = agent.package;
  describe.skipIf(agent.find() === undefined)(`${agent.name}, ${name}@${version}`, () => {
    it("has an adapter whose abilities were measured with this version", () => {
      expect(setup?.abilities.measured).toBe(version);
    });
    if (setup === undefined) return;
    const checked = { agent, setup, abilities: setup.abilities };
    checkRules(checked);
    checkMatrix(checked);
    checkPeople(checked);
    checkFailures(checked);
    checkInstallation(checked);
    checkDoctor(checked);
  });
}
