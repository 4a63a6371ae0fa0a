/** `toolgate demo support`: puts data to try the support tools with into their database. */
import { findFolders } from "../../../../config/folders.ts";
import { supportFile } from "../../../../open/open-tools.ts";
import { seedDemoSupport } from "../../../../sources/builtin/customer-support/demo-data.ts";
import { openSqliteSupport } from "../../../../sources/builtin/customer-support/sqlite/sqlite-store.ts";
import { type CliIo, exitCodes, printJson } from "../../terminal/io.ts";
import { asTyped } from "../../terminal/own-command.ts";
import { shownPath } from "../../terminal/shown.ts";

export async function runDemoSupport(
  options: { readonly json?: boolean | undefined },
  io: CliIo,
): Promise<number> {
  const file = supportFile(findFolders(io.env).state);
  const store = await openSqliteSupport(file);
  try {
    const seeded = await seedDemoSupport(store);
    if (options.json === true) printJson({ file, ...seeded }, io);
    else {
      const { tenants, users, tickets } = seeded;
      const isNew = tenants + users + tickets > 0;
      const added = isNew
        ? `Added ${tenants} tenants, ${users} users and ${tickets} tickets to`
        : "The demo data is there already, in";
      io.out(`${added} ${shownPath(file, io.cwd)}.\n${asTyped(tryIt, io)}`);
    }
    return exitCodes.ok;
  } finally {
    await store.close();
  }
}

const tryIt = `
Try it:
  toolgate tools call cs.ticket_list '{}' --enable-tool-categories customer_support
  toolgate tools call cs.ticket_get '{"id":"tic_login"}' --enable-tool-categories customer_support
`;
