/** Coding agents: which are on this machine, whose hook is installed, what the gate can do in each of them and what not. */
import type { Agent, AgentList } from "toolgate/contract";
import { useRead } from "../api/use-read.ts";
import { useSelect } from "../app/location.ts";
import type { ViewProps } from "../app/views.ts";
import { Rows } from "../parts/rows.tsx";
import { Shown } from "../parts/shown.tsx";
import { Split } from "../parts/split.tsx";
import { Empty, Read } from "../parts/states.tsx";

export function Agents({ selected }: ViewProps) {
  const reading = useRead<AgentList>("api/agents");
  const select = useSelect("agents");
  const rows = [...(reading.data?.agents ?? [])].sort((a, b) => rank(a) - rank(b));
  const shown = rows.find(({ name }) => name === selected);
  return (
    <Split
      title="Agents"
      isOpen={shown !== undefined}
      onBack={() => select(undefined)}
      tools={<span className="quiet">Coding agents that ask the gate before they act</span>}
      list={
        <Read of={reading}>
          {() =>
            rows.length === 0 ? (
              <Empty command="toolgate agents">No agent is known.</Empty>
            ) : (
              <Rows
                label="Agents"
                rows={rows}
                keyOf={({ name }) => name}
                selected={selected}
                onSelect={select}
              >
                {(agent) => (
                  <>
                    <span className="line">
                      <span className="cut strong grow">
                        <Shown line text={agent.title} />
                      </span>
                      <span className={agent.installed.length > 0 ? "fine-word" : "quiet"}>
                        {standOf(agent)}
                      </span>
                    </span>
                    <span className="line small quiet">
                      <span className="cut">
                        <Shown line text={[agent.name, agent.version].filter(Boolean).join(" · ")} />
                      </span>
                    </span>
                  </>
                )}
              </Rows>
            )
          }
        </Read>
      }
      detail={shown !== undefined && <AgentDetail agent={shown} />}
    />
  );
}

function rank({ installed, onMachine }: Agent): number {
  return installed.length > 0 ? 0 : onMachine ? 1 : 2;
}

function standOf({ installed, onMachine }: Agent): string {
  return installed.length > 0 ? "asks the gate" : onMachine ? "does not ask" : "not here";
}

function AgentDetail({ agent }: { readonly agent: Agent }) {
  const { name, title, version, installed, measured, can, cannot, holes, onMachine } = agent;
  return (
    <div className="detail">
      <div className="detail-head">
        <h2>
          <Shown line text={title} />
        </h2>
        <p className="quiet">
          <Shown line text={[name, version].filter(Boolean).join(" ")} />
        </p>
      </div>
      {installed.length === 0 && (
        <div className="part">
          <p>
            {onMachine
              ? "It is on this machine, and does not ask the gate. This changes that:"
              : "It was not found on this machine. Once it is there:"}
          </p>
          <code className="command">toolgate install {name}</code>
        </div>
      )}
      {installed.length > 0 && (
        <p>
          Its hook is installed for <Shown line text={installed.join(", ")} />.
        </p>
      )}
      <List title="The gate can" items={can} />
      <List title="The gate cannot" items={cannot} />
      <List title="Holes" items={holes} />
      <p className="quiet small">
        {measured === undefined ? (
          "By its documentation."
        ) : (
          <>
            Tried with version <Shown line text={measured} />.
          </>
        )}
      </p>
    </div>
  );
}

function List({ title, items }: { readonly title: string; readonly items: readonly string[] }) {
  if (items.length === 0) return null;
  return (
    <div className="part">
      <h3>{title}</h3>
      <ul className="bullets">
        {items.map((item) => (
          <li key={item}>
            <Shown text={item} />
          </li>
        ))}
      </ul>
    </div>
  );
}
