/** `toolgate serve --open`: shows in the browser what the server has for one. */
import { openUrl } from "../../../../safe/net/open-url.ts";
import { allRoutes } from "../../../serve/all-routes.ts";
import type { CliIo } from "../../terminal/io.ts";

/** A browser brings no token: only what anybody may see can be opened. */
export async function openPage(url: string, io: Pick<CliIo, "err">): Promise<void> {
  const hasPage = allRoutes.some(({ method, path }) => method === "GET" && path === "/");
  const page = hasPage ? url : `${url}${healthPath}`;
  if (!(await openUrl(page))) io.err(`The browser could not be opened; the address is ${page}\n`);
  else if (!hasPage)
    io.err(
      `There is no page for people here, so the browser shows whether the server takes calls: ${page}\nWhat waits for an answer: toolgate approvals\n`,
    );
}

const healthPath = "/api/health/ready";
