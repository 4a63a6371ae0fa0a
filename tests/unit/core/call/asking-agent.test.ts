/** What the record says of the agent that asks. */
import { expect, it } from "vitest";
import { agentFacts } from "../../../../src/core/call/asking-agent.ts";

it("says the name alone where nothing else is known", () => {
  expect(agentFacts({ name: "someone" })).toEqual({ agent: "someone" });
  expect(agentFacts({ name: "someone", subAgent: {} })).toEqual({ agent: "someone" });
});

it("says version, own name of the tool, and sub-agent, and cuts what is longer than any name", () => {
  const agent = { name: "someone", version: "1.2", tool: "x".repeat(1_000), subAgent: { id: "7" } };
  expect(agentFacts(agent)).toEqual({
    agent: "someone",
    agentVersion: "1.2",
    agentTool: "x".repeat(256),
    subAgent: "7",
  });
});
