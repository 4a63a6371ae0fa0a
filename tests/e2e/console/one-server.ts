/** Starts one server and one browser for all files of `npm run test:console`; each test has a context of its own. */
import { rmSync } from "node:fs";
import { openBrowserServer } from "./browser.ts";
import { consoleRules, prepareCliWorld, startServer } from "./console-server.ts";

export async function setup(): Promise<() => Promise<void>> {
  const cli = prepareCliWorld(consoleRules);
  const [browser, server] = await Promise.all([openBrowserServer(), startServer(cli, "0")]);
  // Workers start with the variables of this process.
  process.env.TOOLGATE_TEST_BROWSER = browser.wsEndpoint();
  process.env.TOOLGATE_TEST_CONSOLE = JSON.stringify({
    folder: cli.folder,
    url: server.url,
    stateFolder: server.stateFolder,
  });
  return async () => {
    await Promise.all([browser.close(), server.stop()]);
    rmSync(cli.folder, { recursive: true, force: true });
  };
}
