/** One tool: what it says of itself, what it takes, whether it can be called, and a form to try it. */
import type { Tool } from "toolgate/contract";
import { Link } from "wouter";
import { useRight } from "../api/console-context.tsx";
import { Icon } from "../parts/icons.tsx";
import { JsonText } from "../parts/json-text.tsx";
import { Shown } from "../parts/shown.tsx";
import { Permission } from "../parts/verdict.tsx";
import { TryIt } from "./try-it.tsx";

export function ToolDetail({ tool }: { readonly tool: Tool }) {
  const { name, title, description, callable, why, source, pluginName, serverName } = tool;
  const mayCall = useRight("call");
  return (
    <div className="detail">
      <div className="detail-head">
        <h2 className="mono">
          <Shown line text={name} />
        </h2>
        {title !== name && (
          <p>
            <Shown text={title} />
          </p>
        )}
      </div>
      {!callable && (
        <div className="note">
          <Icon name="warn" />
          <div>
            <p>
              <Shown text={why?.message ?? "It cannot be called with your token."} />
            </p>
            {why?.hint !== undefined && (
              <p className="quiet">
                <Shown text={why.hint} />
              </p>
            )}
          </div>
        </div>
      )}
      <p className="prose">
        <Shown text={description} limit={4_000} />
      </p>
      <dl className="facts">
        <dt>May</dt>
        <dd>
          <Permission of={tool.permission} />
        </dd>
        <dt>Category</dt>
        <dd>
          <Shown line text={tool.category} />
        </dd>
        <dt>From</dt>
        <dd>
          {source}
          {(pluginName ?? serverName) !== undefined && (
            <>
              {" "}
              · <Shown line text={pluginName ?? serverName ?? ""} />
            </>
          )}
        </dd>
        <dt>Names</dt>
        <dd className="mono">
          <Shown line text={[tool.wireName, ...tool.aliases].join(", ")} />
        </dd>
        {tool.capabilities.length > 0 && (
          <>
            <dt>Needs</dt>
            <dd className="mono">
              <Shown line text={tool.capabilities.join(", ")} />
            </dd>
          </>
        )}
        <dt>Used</dt>
        <dd>
          <Link href={`/ledger?q=${encodeURIComponent(`tool:${name}`)}`}>in the ledger</Link>
        </dd>
      </dl>
      <TryIt tool={tool} mayCall={mayCall} />
      <details>
        <summary>Schema of the input</summary>
        <JsonText label="Schema of the input" value={tool.inputSchema} />
      </details>
      {tool.outputSchema !== undefined && (
        <details>
          <summary>Schema of the result</summary>
          <JsonText label="Schema of the result" value={tool.outputSchema} />
        </details>
      )}
      <p className="quiet small mono">
        definition <Shown line text={tool.definitionHash} />
      </p>
    </div>
  );
}
