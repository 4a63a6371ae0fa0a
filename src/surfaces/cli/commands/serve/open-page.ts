/** `toolgate serve --open`: shows in the browser what the server has for one. */
import { type OpenOptions, openUrl } from "../../../../safe/net/open-url.ts";
import type { CliIo } from "../../terminal/io.ts";
import { asTyped } from "../../terminal/own-command.ts";

/** `link`: into the console; undefined if there is none. A browser brings no token by itself. */
export async function openPage(
  url: string,
  link: string | undefined,
  { io, privateFolder }: OpenOptions & { readonly io: CliIo },
): Promise<void> {
  const page = link ?? `${url}${healthPath}`;
  if (!(await openUrl(page, { privateFolder })))
    io.err(`The browser could not be opened; the address is ${page}\n`);
  else if (link === undefined)
    io.err(
      `There is no console here, so the browser shows whether the server takes calls: ${page}\n${asTyped("What waits for an answer: toolgate approvals", io)}\n`,
    );
}

const healthPath = "/api/health/ready";
