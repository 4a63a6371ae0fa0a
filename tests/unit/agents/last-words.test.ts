/** The build asks each adapter once what a broken hook says, and the entry puts the reason in its place. */
import { expect, it } from "vitest";
import { allAgents } from "../../../src/agents/all-agents.ts";

it.for(allAgents.map((agent) => [agent.name, agent] as const))(
  "%s is told any reason by one text with a place for it",
  ([, agent]) => {
    const reason = 'It "broke":\n$& {}';
    const kept = agent.lastWords("@reason@").replaceAll('"@reason@"', () => JSON.stringify(reason));
    expect(kept).toBe(agent.lastWords(reason));
    expect(kept).not.toContain("@reason@");
  },
);
