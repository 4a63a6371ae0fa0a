/** `toolgate serve`: the gate as a service, until it is told to end. */
import { existsSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import { ToolgateError } from "../../../../core/call/errors.ts";
import { plural } from "../../../../core/text/plural.ts";
import { visible } from "../../../../core/text/visible.ts";
import { packageVersion } from "../../../../gate/package-version.ts";
import type { OpenConfig } from "../../../../open/open-config.ts";
import { openStoreParts } from "../../../../open/open-store.ts";
import { type OpenTools, openTools } from "../../../../open/open-tools.ts";
import type { StoreThread } from "../../../../open/start-store-thread.ts";
import { storeOf } from "../../../../open/store/find-store.ts";
import { afterFirstAnswers } from "../../../../safe/files/watch-inputs.ts";
import type { PluginReport } from "../../../../sources/plugins/plugin-set.ts";
import { openTokenFile, ownerTokenFile } from "../../../http/tokens/owner-token.ts";
import { type Announcement, announceServer, findServer } from "../../../serve/announcement.ts";
import { openServer } from "../../../serve/open-server.ts";
import { type ChosenServer, chooseServer, whyNotExposed } from "../../../serve/server-settings.ts";
import { openTelemetry } from "../../../serve/telemetry/open-telemetry.ts";
import { agentAround, explainForPeople } from "../../agent-around.ts";
import { describeDoubts, describeIgnored, describeNotes, openUsable } from "../../open/effective-config.ts";
import { chooseTools, type ToolOptions } from "../../open/tool-options.ts";
import { describePluginReport } from "../../terminal/describe-plugins.ts";
import { createFooter } from "../../terminal/footer.ts";
import { type CliIo, exitCodes, fail } from "../../terminal/io.ts";
import { asTyped, ownCommand } from "../../terminal/own-command.ts";
import { shellWord, shownPath } from "../../terminal/shown.ts";
import { createAgentTable } from "../agents/agent-table.ts";
import { answererName } from "../approvals/who-answers.ts";
import { makeConsoleLink } from "../console/console.ts";
import { explainRestart, followConfiguration } from "./follow-configuration.ts";
import { isEverything } from "./mcp-workspace.ts";
import { openPage } from "./open-page.ts";
import { showWaiting } from "./show-waiting.ts";

export interface ServeCommandOptions extends ToolOptions {
  readonly host?: string | undefined;
  readonly port?: number | undefined;
  readonly tokenFile?: string | undefined;
  readonly tlsCert?: string | undefined;
  readonly tlsKey?: string | undefined;
  readonly open?: boolean | undefined;
}

/** What ends after the calls have ended or were cancelled: sockets, background processes, the store. */
const closingMs = 8_000;

export async function runServe(
  options: ServeCommandOptions,
  terminal: CliIo,
  storeThread?: StoreThread,
): Promise<number> {
  const footer = createFooter(terminal);
  const { io } = footer;
  const config = await openUsable(options, io);
  const refused = whyNotForAgents(options, config, io);
  if (refused !== undefined) return fail(refused, io);
  // A warning only: the server may run for hooks alone, which bring their own projects.
  if (isEverything(io)) io.err(asTyped(warnOfEverything(io), io));
  const { notes, ignored } = config;
  io.err(describeNotes(notes, io) + describeIgnored(ignored, io));
  const chosen = chooseServer(options, config.settings.server, io.env);
  const { state } = config.folders;
  await using parts = openStoreParts(storeOf(config, { stateFolder: state, env: io.env }));
  const exposed = whyNotExposed(chosen, (await parts.tokens.list()).tokens.length);
  if (exposed !== undefined) throw new ToolgateError(exposed);
  refuseSecond(findServer(state));
  const tokenFile =
    options.tokenFile === undefined ? ownerTokenFile(state) : resolve(io.cwd, options.tokenFile);
  const isFirst = !existsSync(tokenFile);
  const owner = openTokenFile(tokenFile, { name: "owner" });
  // Ctrl-C once: what runs may end; twice: at once.
  io.allowGrace?.(chosen.drainMs + closingMs);

  const tell = (message: string) => io.err(`${new Date().toISOString()} ${visible(asTyped(message, io))}\n`);
  const served = { current: config, broken: [] as OpenConfig["problems"] };
  const open = await openTools(config, {
    approver: "desk",
    durable: true,
    storeThread,
    env: io.env,
    ...chooseTools(options, config),
    upstreams: "live",
    note: (text) => tell(text),
  });
  io.err(describePluginReport(open.plugins.report, io));
  let stopTelemetry: (() => void) | undefined;
  try {
    if (isFirst) await recordOwner(open, tokenFile);
    const traceCalls = await openTelemetry({ env: io.env, version: packageVersion() });
    stopTelemetry = traceCalls?.(open.gate);
    const server = await openServer({
      open: withStore(open),
      config: served,
      chosen,
      owner,
      version: packageVersion(),
      env: io.env,
      agents: createAgentTable(config.projectDir, io),
      isOnTerminal: io.isTerminal && options.json !== true,
      traceCalls,
      tell,
    }).catch((error: unknown) => {
      throw explainListen(error, chosen);
    });
    const { url } = server.http;
    const showing = new AbortController();
    const announced = announceServer(state, { url, tokenFile, version: packageVersion() });
    try {
      if (!announced.ok) refuseSecond(announced.other);
      server.openDoor();
      await open.recovered;
      // An agent that starts the server must not get a link by which it could approve.
      const linkFor = chosen.hasConsole && agentAround(io) === undefined;
      const link = (isOpened = false) =>
        linkFor ? makeConsoleLink(state, url, { isOpened }).url : undefined;
      io.out(
        options.json === true
          ? describeJson(url, tokenFile)
          : describe({ url, tokenFile, link: link() }, open, io),
      );
      if (options.open === true) await openPage(url, link(true), { io, privateFolder: state });
      if (options.json !== true && io.isTerminal)
        void showWaiting(withStore(open).store, footer, showing.signal);
      await afterFirstAnswers(io.signal);
      io.err(describeDoubts(config.findDoubts(), io.cwd));
      open.plugins.watch({
        onReload: (report) => tell(toldOf(report)),
        onError: (message) => tell(`Plugin folders cannot be watched: ${message}`),
      });
      await followConfiguration(
        {
          open,
          configFile: options.config,
          tell,
          signal: io.signal,
          onLoad: ({ problems }) => {
            served.broken = problems;
          },
          onForce: (next) => {
            served.current = next;
            server.rulesChanged();
            const restart = explainRestart(config, next);
            tell(`The configuration changed; its rules are in force.${restart ? ` ${restart}` : ""}`);
          },
        },
        io,
      );
    } finally {
      if (announced.ok) announced.withdraw();
      showing.abort();
      if (options.json !== true) io.err("Ending: waiting for calls that run. Ctrl-C again ends at once.\n");
      const { cancelled } = await server.close();
      if (cancelled > 0) io.err(`${plural(cancelled, "request")} had to be cancelled.\n`);
    }
  } finally {
    stopTelemetry?.();
    await open.close();
  }
  return exitCodes.ok;
}

/** The first start makes a token that may do everything. */
async function recordOwner({ store }: OpenTools, file: string): Promise<void> {
  const caller = answererName();
  const message = `${caller} starts toolgate serve, which makes the owner's token in ${file}.`;
  const about = { name: "owner", file };
  await store?.ledger.note({ at: Date.now(), code: "token_created", caller, surface: "cli", message, about });
}

function warnOfEverything({ cwd }: CliIo): string {
  return `warning: toolgate serve was started in ${visible(cwd)}: everything below it is the workspace, and whoever has a token with the right call reads its files without a question. Start it in a project: cd PROJECT && toolgate serve\n`;
}

function toldOf({ toolCount, errors }: PluginReport): string {
  const tools = `Plugin files changed: ${plural(toolCount, "tool")}`;
  return errors.length === 0
    ? `${tools}.`
    : `${tools}, ${plural(errors.length, "error")} (POST /api/tools/reload lists them).`;
}

function refuseSecond(other: Announcement | undefined): void {
  if (other !== undefined)
    throw new ToolgateError(
      `A server of this user runs already: ${other.url} (process ${other.pid}, since ${other.startedAt}). End it first, or use it.`,
    );
}

function explainListen(error: unknown, { host, port }: ChosenServer): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "EADDRINUSE")
    return new ToolgateError(
      `Port ${port} of ${host} is taken by another program. Choose another one: toolgate serve --port ${port + 1}, or --port 0 for any that is free.`,
    );
  if (code === "EACCES")
    return new ToolgateError(`Port ${port} may only be used by the administrator. Choose one above 1023.`);
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND")
    return new ToolgateError(`${host} is not an address of this machine.`);
  return error;
}

/** The choice of the owner's token or of the identity provider gives every right, also to approve. */
function whyNotForAgents(
  { tokenFile }: ServeCommandOptions,
  { settings }: OpenConfig,
  io: CliIo,
): string | undefined {
  if (tokenFile === undefined && settings.server?.oauth === undefined) return undefined;
  return explainForPeople("who may answer", io);
}

function withStore(open: OpenTools): Parameters<typeof openServer>[0]["open"] {
  const { store } = open;
  if (store === undefined) throw new ToolgateError("The server needs the durable store.");
  return { ...open, store };
}

function describeJson(url: string, tokenFile: string): string {
  return `${JSON.stringify({ url, pid: process.pid, tokenFile })}\n`;
}

interface Started {
  readonly url: string;
  readonly tokenFile: string;
  /** Undefined: there is no console, or nobody who may have a link. */
  readonly link: string | undefined;
}

/** The token itself is never printed: it would stay in scroll-back and logs. */
function describe({ url, tokenFile, link }: Started, { gate }: OpenTools, io: CliIo): string {
  const file = shellWord(isAbsolute(tokenFile) ? tokenFile : shownPath(tokenFile, io.cwd));
  const own = ownCommand(io);
  const callable = gate.tools.view().filter((tool) => tool.callable).length;
  return [
    `toolgate serves ${url}`,
    ...(link === undefined
      ? []
      : [`  console ${link}`, `          opens it once, within a minute; later: ${own} console`]),
    `  tools   ${gate.tools.count}, ${callable} of them can be called`,
    `  token   in ${file}, which only you can read`,
    `  try     curl -H @<(printf 'Authorization: Bearer %s' "$(cat ${file})") ${url}/api/tools`,
    `  agents  ${own} tokens create NAME --rights call   (cannot approve)`,
    `  mcp     ${url}/mcp, for MCP clients with such a token`,
    "Ctrl-C ends it.",
    "",
  ].join("\n");
}
