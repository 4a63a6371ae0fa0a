/** A real `toolgate serve` whose only upstream is the server of the other world: everything the suite sees has crossed the gateway. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createCliWorld, ended } from "../e2e/cli-process.ts";
import { openFront } from "./front.ts";
import { suiteServer } from "./suite-upstream.ts";
import { openSuiteWorld, type SuiteWorld, toolsWithAddresses } from "./world.ts";

export async function openGatewayWorld(era: "legacy" | "modern"): Promise<Omit<SuiteWorld, "direct">> {
  const behind = await openSuiteWorld();
  const front = await openFront();
  const world = createCliWorld();
  const config = join(world.folder, "gateway.yaml");
  writeFileSync(
    config,
    JSON.stringify({
      server: {
        hosts: [`127.0.0.1:${front.port}`, `localhost:${front.port}`],
        limits: { max_in_flight: 1_000, max_per_minute: 100_000, max_streams: 100 },
      },
      upstreams: {
        [suiteServer]: {
          url: behind.direct.url,
          headers: { Authorization: `Bearer ${behind.direct.token}` },
          permission: "read",
          era,
        },
      },
      policies: [
        {
          name: "the suite is free",
          tools: [...toolsWithAddresses, `${suiteServer}__*`],
          action: "approve",
        },
      ],
    }),
  );
  const serving = world.start(["serve", "--port", "0", "--json", "--config", config]);
  const over = ended(serving);
  const { url, tokenFile } = await new Promise<{ url: string; tokenFile: string }>((resolve, reject) => {
    serving.stdout?.once("data", (line: string) => resolve(JSON.parse(line)));
    void over.then(({ err }) => reject(new Error(err)));
  });
  const token = readFileSync(tokenFile, "utf8").trim();
  const prefix = `${suiteServer}__`;
  front.target({ url, token, toolPrefix: prefix, promptPrefix: prefix + prefix });
  await hasTools(url, token, prefix);
  return {
    url: `http://127.0.0.1:${front.port}/mcp`,
    broken: behind.broken,
    async close() {
      serving.kill("SIGKILL");
      await over;
      await front.close();
      await behind.close();
      world.close();
    },
  };
}

/** The server is asked in the background. */
async function hasTools(url: string, token: string, prefix: string): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    const answer = await fetch(`${url}/api/tools`, { headers: { authorization: `Bearer ${token}` } });
    if ((await answer.text()).includes(`${prefix}test_simple_text`)) return;
    await sleep(100);
  }
  throw new Error("The gateway did not find the tools of its upstream.");
}
