/** The process of a hook, for the agent from outside: what `hook.cjs` does, from the source. */
import { openAgent } from "../../../src/agents/all-agents.ts";
import { answerStdin } from "../../../src/surfaces/hook/process/main.ts";
import { fakeAgent } from "./agent.ts";

await answerStdin(openAgent(fakeAgent), { shippedFile: process.argv[2] ?? "", before: () => {} });
