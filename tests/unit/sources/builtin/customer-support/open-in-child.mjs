// Opens the database named by the first argument together with others, and changes a ticket until it got through often enough.
import { seedDemoSupport } from "../../../../../src/sources/builtin/customer-support/demo-data.ts";
import { openSqliteSupport } from "../../../../../src/sources/builtin/customer-support/sqlite/sqlite-store.ts";

const [file, wanted] = process.argv.slice(2);
const store = await openSqliteSupport(file);
await seedDemoSupport(store);
let done = 0;
let stale = 0;
while (done < Number(wanted)) {
  const { version } = await store.ticket("all", "tic_login");
  const comment = { author: String(process.pid), body: "me", internal: true };
  const updated = await store.updateTicket("all", "tic_login", version, { comment });
  if (updated.ok) done += 1;
  else stale += 1;
}
await store.close();
console.log(JSON.stringify({ done, stale }));
