/** `toolgate serve`: its options and its help. */
import { InvalidArgumentError } from "commander";
import type { StoreThread } from "../../../../open/start-store-thread.ts";
import type { CliCommand } from "../../program/define-command.ts";
import type { CliIo } from "../../terminal/io.ts";
import type { ServeCommandOptions } from "./serve.ts";

export function defineServe(program: CliCommand): void {
  program
    .command("serve")
    .summary("serve the gate over HTTP: REST, MCP, agents' hooks")
    .description(
      "Serves the gate over HTTP until Ctrl-C: REST with events, MCP, and agents' hooks. Listens on this machine only, unless a certificate and tokens are set up. Every request needs a token. Yours is in a file that only you can read.",
    )
    .option("--host <address>", "Listen on this address. Default: 127.0.0.1.")
    .option("--port <number>", "Listen on this port; 0 means any free one. Default: 4655.", readPort)
    .option("--token-file <file>", "The file of your token; it is created if it is missing.")
    .option("--tls-cert <file>", "Certificate with its chain, as PEM.")
    .option("--tls-key <file>", "Its private key, as PEM.")
    .option("--open", "Open the browser with what the server has for one.")
    .enabling()
    .configAndJson()
    .examples(
      "toolgate serve",
      "toolgate serve --port 0 --json",
      "toolgate serve --host 0.0.0.0 --tls-cert cert.pem --tls-key key.pem",
    )
    .runs(async () => {
      const thread = await startStore();
      const { runServe } = await import("./serve.ts");
      return { runServe: (options: ServeCommandOptions, io: CliIo) => runServe(options, io, thread) };
    }, "runServe");
}

/** The store's thread loads its code while the command does. */
export async function startStore(): Promise<StoreThread> {
  const { startStoreThread } = await import("../../../../open/start-store-thread.ts");
  return startStoreThread();
}

function readPort(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535) throw new InvalidArgumentError("A port is 0 to 65535.");
  return port;
}
