/** MCP servers behind the gate: how they stand, the broken ones first, and definitions that wait for a person. */
import type { Upstream, UpstreamList } from "toolgate/contract";
import { useRead } from "../api/use-read.ts";
import { useSelect } from "../app/location.ts";
import type { ViewProps } from "../app/views.ts";
import { plural } from "../parts/numbers.ts";
import { Rows } from "../parts/rows.tsx";
import { Shown } from "../parts/shown.tsx";
import { Split } from "../parts/split.tsx";
import { StateWord } from "../parts/state-word.tsx";
import { Empty, Read } from "../parts/states.tsx";
import { UpstreamDetail } from "./upstream-detail.tsx";

const worst = ["broken", "failed", "starting", "ready", "idle", "stopped", "disabled"];

export function Upstreams({ selected }: ViewProps) {
  const reading = useRead<UpstreamList>("api/upstreams", { everyMs: 10_000 });
  const select = useSelect("upstreams");
  const rows = [...(reading.data?.upstreams ?? [])].sort(
    (a, b) => worst.indexOf(a.state) - worst.indexOf(b.state) || a.server.localeCompare(b.server),
  );
  const shown = rows.find(({ server }) => server === selected);
  return (
    <Split
      title="Upstreams"
      isOpen={shown !== undefined}
      onBack={() => select(undefined)}
      tools={<span className="quiet">MCP servers behind the gate</span>}
      list={
        <Read of={reading}>
          {() =>
            rows.length === 0 ? (
              <Empty command="toolgate upstreams add NAME -- COMMAND">
                No MCP server stands behind this gate.
              </Empty>
            ) : (
              <Rows
                label="Upstreams"
                rows={rows}
                keyOf={({ server }) => server}
                selected={selected}
                onSelect={select}
              >
                {(one) => <UpstreamRow one={one} />}
              </Rows>
            )
          }
        </Read>
      }
      detail={shown !== undefined && <UpstreamDetail key={shown.server} upstream={shown} />}
    />
  );
}

function UpstreamRow({ one }: { readonly one: Upstream }) {
  return (
    <>
      <span className="line">
        <span className="cut strong grow">
          <Shown line text={one.server} />
        </span>
        <StateWord of={one.state} />
      </span>
      <span className="line small quiet">
        <span className="cut grow">
          <Shown
            line
            text={
              one.problem ?? `${plural(one.tools, "tool")} · ${plural(one.calls, "call")} · ${one.transport}`
            }
          />
        </span>
        {one.pending.length > 0 && (
          <span className="asked-word">
            {plural(one.pending.length, "definition waits", "definitions wait")}
          </span>
        )}
      </span>
    </>
  );
}
