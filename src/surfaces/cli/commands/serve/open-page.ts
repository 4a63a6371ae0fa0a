/** `toolgate serve --open`: shows in the browser what the server has for one. */
import { type OpenOptions, openUrl } from "../../../../safe/net/open-url.ts";
import type { CliIo } from "../../terminal/io.ts";

/** `link`: into the console; undefined if there is none. A browser brings no token by itself. */
export async function openPage(
  url: string,
  link: string | undefined,
  { err, privateFolder }: Pick<CliIo, "err"> & OpenOptions,
): Promise<void> {
  const page = link ?? `${url}${healthPath}`;
  if (!(await openUrl(page, { privateFolder })))
    err(`The browser could not be opened; the address is ${page}\n`);
  else if (link === undefined)
    err(
      `There is no console here, so the browser shows whether the server takes calls: ${page}\nWhat waits for an answer: toolgate approvals\n`,
    );
}

const healthPath = "/api/health/ready";
