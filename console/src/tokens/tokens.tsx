/** Who may come in, and which approvals last: lists, new tokens, and a way to take each back. */
import type { GrantList, TokenList } from "toolgate/contract";
import { useConsole, useRight } from "../api/console-context.tsx";
import { useChange, useRead } from "../api/use-read.ts";
import { Shown } from "../parts/shown.tsx";
import { Page } from "../parts/split.tsx";
import { Empty, Failure, Read } from "../parts/states.tsx";
import { Table } from "../parts/table.tsx";
import { Ago } from "../parts/time.tsx";
import { NewToken } from "./new-token.tsx";
import { TakeBack } from "./take-back.tsx";

export function Tokens() {
  return (
    <Page title="Tokens and lasting approvals">
      <TokenTable />
      <GrantTable />
    </Page>
  );
}

function TokenTable() {
  const { me } = useConsole();
  const isAdmin = useRight("admin");
  const reading = useRead<TokenList>("api/tokens", { enabled: isAdmin });
  const change = useChange(["api/tokens"]);
  return (
    <section className="part" aria-labelledby="tokens-title">
      <h2 id="tokens-title">Tokens</h2>
      {!isAdmin && (
        <p className="quiet">
          Only an administrator sees tokens. <code>toolgate console --admin</code> opens the console with
          every right.
        </p>
      )}
      {isAdmin && <NewToken />}
      {change.error !== null && <Failure error={change.error} />}
      {isAdmin && (
        <Read of={reading}>
          {({ tokens }) => (
            <Table heads={["Name", "Rights", "Made", "Ends"]} wide={["Made"]} action="Take back">
              {tokens.map((token) => (
                <tr key={token.name}>
                  <td>
                    <strong>
                      <Shown line text={token.name} />
                    </strong>
                    {token.name === me.caller && <span className="quiet"> (you)</span>}
                  </td>
                  <td>{token.rights.join(", ")}</td>
                  <td className="only-wide">
                    <Ago at={token.createdAt} />
                  </td>
                  <td>
                    {token.expired ? (
                      <span className="refused-word">expired</span>
                    ) : token.expiresAt === undefined ? (
                      "never"
                    ) : (
                      <Ago at={token.expiresAt} />
                    )}
                  </td>
                  <td className="number">
                    <TakeBack
                      what={token.name}
                      onSure={() =>
                        change.mutate({
                          path: `api/tokens/${encodeURIComponent(token.name)}`,
                          method: "DELETE",
                        })
                      }
                    />
                  </td>
                </tr>
              ))}
            </Table>
          )}
        </Read>
      )}
    </section>
  );
}

const scopes = { session: "a session", project: "a project", user: "everywhere" } as const;

function GrantTable() {
  const mayApprove = useRight("approve");
  const reading = useRead<GrantList>("api/grants");
  const change = useChange(["api/grants"]);
  return (
    <section className="part" aria-labelledby="grants-title">
      <h2 id="grants-title">Lasting approvals</h2>
      {change.error !== null && <Failure error={change.error} />}
      <Read of={reading}>
        {({ grants }) =>
          grants.length === 0 ? (
            <Empty command="toolgate grants list">Nobody has approved anything for longer than once.</Empty>
          ) : (
            <Table heads={["Tool", "Caller", "Covers", "Where", "Given", "Ends"]} action="Take back">
              {grants.map((grant) => (
                <tr key={grant.id}>
                  <td className="mono">
                    <Shown line text={grant.tool} />
                  </td>
                  <td>
                    <Shown line text={grant.caller} />
                  </td>
                  <td>
                    {grant.inputHash === undefined ? (
                      <span className="asked-word">any input</span>
                    ) : (
                      "one input"
                    )}
                  </td>
                  <td title={grant.project ?? grant.sessionId}>{scopes[grant.scope]}</td>
                  <td>
                    <Ago at={grant.createdAt} /> by <Shown line text={grant.by} />
                  </td>
                  <td>{grant.expiresAt === undefined ? "never" : <Ago at={grant.expiresAt} />}</td>
                  <td className="number">
                    {mayApprove && (
                      <TakeBack
                        what={`the approval of ${grant.tool}`}
                        onSure={() =>
                          change.mutate({
                            path: `api/grants/${encodeURIComponent(grant.id)}`,
                            method: "DELETE",
                          })
                        }
                      />
                    )}
                  </td>
                </tr>
              ))}
            </Table>
          )
        }
      </Read>
    </section>
  );
}
