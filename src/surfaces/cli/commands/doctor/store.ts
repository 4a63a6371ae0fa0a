/** Whether the database that keeps the records can be used, and whether its clock is right. */
import { info, ok, problem, type SetupFinding, warning } from "../../../../agents/setup-finding.ts";
import { messageOf } from "../../../../core/call/errors.ts";
import { shownDuration } from "../../../../core/text/duration.ts";
import type { OpenConfig } from "../../../../open/open-config.ts";
import { storeOf } from "../../../../open/store/find-store.ts";
import { type PostgresStatus, readStoreStatus } from "../../../../open/store/store-tools.ts";
import type { CliIo } from "../../terminal/io.ts";

const check = "store";
const slowMs = 50;
const farApartMs = 5_000;
const oldestServer = 13;

/** Nothing is looked at where the state folder keeps the records: other checks do that. */
export async function checkStoreDatabase(
  config: OpenConfig,
  { env }: Pick<CliIo, "env">,
): Promise<SetupFinding[]> {
  const place = storeOf(config, { stateFolder: config.folders.state, env });
  if (place.postgres === undefined) return [];
  try {
    const status = await readStoreStatus(place);
    return status.kind === "postgres" ? findingsOf(status) : [];
  } catch (error) {
    return [problem(check, messageOf(error), "docs/scale.md says how a database is named.")];
  }
}

function findingsOf(status: PostgresStatus): SetupFinding[] {
  const { place, serverVersion, latencyMs, clockDifferenceMs, schema } = status;
  const findings = [ok(check, `PostgreSQL ${serverVersion} at ${place} answers in ${latencyMs} ms.`)];
  if (Number.parseInt(serverVersion, 10) < oldestServer)
    findings.push(
      problem(check, `PostgreSQL ${serverVersion} is too old: toolgate needs ${oldestServer}.`, "Update it."),
    );
  if (latencyMs > slowMs)
    findings.push(
      warning(
        check,
        `Every call that writes waits for the database: ${latencyMs} ms.`,
        "Run toolgate closer to it.",
      ),
    );
  if (Math.abs(clockDifferenceMs) > farApartMs) {
    const apart = shownDuration(Math.abs(clockDifferenceMs));
    findings.push(
      warning(
        check,
        `The clocks of this machine and of the database differ by ${apart}.`,
        "Set them right (NTP).",
      ),
    );
  }
  if (schema === undefined)
    findings.push(info(check, "The first toolgate that uses the database makes its tables."));
  else if (schema.oldest > schema.known)
    findings.push(
      problem(check, "The tables were changed by a newer toolgate.", "Install that version here, too."),
    );
  return [...findings, ...ofConnection(status)];
}

/** What is between, what the server promises, and what the role may do. */
function ofConnection({ connection }: PostgresStatus): SetupFinding[] {
  const { isPooled, hearsBells, isReadOnly, unsafe, role } = connection;
  const findings: SetupFinding[] = [];
  const add = (finding: SetupFinding | false) => finding && findings.push(finding);
  add(
    isReadOnly &&
      problem(check, "The database is a standby that only reads.", "Connect to the primary server."),
  );
  if (!isReadOnly && !hearsBells)
    findings.push(
      isPooled
        ? problem(
            check,
            "The pooler before the database shares connections between transactions (PgBouncer: pool_mode = transaction): replicas do not hear each other, answers come up to a second late.",
            "Use pool_mode = session for toolgate, or connect to the server itself.",
          )
        : warning(
            check,
            "Notifications (LISTEN) of the database do not arrive: answers come up to a second late.",
            "Look at what is between this machine and the database.",
          ),
    );
  else add(isPooled && info(check, "A pooler is before the database, and bells pass it (session mode)."));
  add(
    unsafe.length > 0 &&
      warning(
        check,
        `The server may lose records that it has acknowledged: ${unsafe.join(", ")}.`,
        "Switch that on again for this database.",
      ),
  );
  add(
    role.missing.length > 0 &&
      problem(
        check,
        `The role ${role.name} lacks rights: ${role.missing.join(", ")}.`,
        "docs/scale.md has the SQL.",
      ),
  );
  add(
    (role.isSuperuser || role.canChangeRecords === true) &&
      info(
        check,
        `The role ${role.name} ${role.isSuperuser ? "is a superuser" : "owns the ledger"}: it could change records, which toolgate audit verify would find. docs/scale.md has the SQL of a role that only adds.`,
      ),
  );
  return findings;
}
