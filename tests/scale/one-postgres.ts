/** Starts one PostgreSQL for all files of `npm run test:scale`, unless TOOLGATE_TEST_POSTGRES names one. */
import { findBinaries, sharedServer } from "./postgres-binaries.ts";
import { startPostgres } from "./start-postgres.ts";

export async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (sharedServer() !== undefined || findBinaries() === undefined) return undefined;
  const server = await startPostgres();
  // Workers start with the variables of this process.
  process.env.TOOLGATE_TEST_POSTGRES = server.url;
  return async () => {
    delete process.env.TOOLGATE_TEST_POSTGRES;
    await server.close();
  };
}
