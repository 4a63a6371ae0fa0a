/** The catalogue: which tools there are, where they come from, what they may do, and whether they can be called now. */
import type { Tool, ToolList } from "toolgate/contract";
import { useRead } from "../api/use-read.ts";
import { useFilters, useSelect } from "../app/location.ts";
import type { ViewProps } from "../app/views.ts";
import { Chips } from "../parts/chips.tsx";
import { count, plural } from "../parts/numbers.ts";
import { Rows } from "../parts/rows.tsx";
import { SearchBox } from "../parts/search-box.tsx";
import { Shown } from "../parts/shown.tsx";
import { Split } from "../parts/split.tsx";
import { Empty, Read } from "../parts/states.tsx";
import { Permission } from "../parts/verdict.tsx";
import { Categories } from "./categories.tsx";
import { Reload } from "./reload.tsx";
import { ToolDetail } from "./tool-detail.tsx";

const sources = ["builtin", "plugin", "upstream", "library"] as const;

export function Tools({ selected }: ViewProps) {
  const reading = useRead<ToolList>("api/tools");
  const [filters, setFilters] = useFilters();
  const select = useSelect("tools");
  const [text, source] = [filters.get("q") ?? "", filters.get("source") ?? ""];
  const all = reading.data?.tools ?? [];
  const rows = all.filter(
    (tool) => (source === "" || tool.source === source) && fits(tool, text.toLowerCase()),
  );
  const shown = all.find(({ name }) => name === selected);
  return (
    <Split
      title="Tools"
      isOpen={selected !== undefined}
      onBack={() => select(undefined)}
      tools={
        <>
          <SearchBox
            label="Search the tools"
            placeholder="Name, description"
            value={text}
            onChange={(q) => setFilters({ q })}
          />
          <Chips
            label="Where tools come from"
            value={source}
            onChange={(next) => setFilters({ source: next })}
            options={sources.flatMap((one) =>
              (reading.data?.counts[one] ?? 0) > 0
                ? [[one, `${one} ${count(reading.data?.counts[one] ?? 0)}`] as const]
                : [],
            )}
          />
          <span className="actions end">
            <button
              type="button"
              aria-pressed={selected === categoriesId}
              onClick={() => select(categoriesId)}
            >
              Categories
            </button>
            <Reload />
          </span>
        </>
      }
      list={
        <Read of={reading}>
          {(data) =>
            rows.length === 0 ? (
              <Empty command="toolgate tools list">No tool fits.</Empty>
            ) : (
              <>
                <p className="list-head small">
                  {plural(rows.length, "tool")}, {count(data.counts.callable)} of {count(data.counts.total)}{" "}
                  can be called with your token
                </p>
                <Rows
                  label="Tools"
                  rows={rows}
                  keyOf={({ name }) => name}
                  selected={selected}
                  onSelect={select}
                >
                  {(tool) => <ToolRow tool={tool} />}
                </Rows>
              </>
            )
          }
        </Read>
      }
      detail={
        selected === categoriesId ? (
          <Categories />
        ) : (
          shown !== undefined && <ToolDetail key={shown.name} tool={shown} />
        )
      }
    />
  );
}

/** No tool can have this name. */
const categoriesId = "~categories";

function ToolRow({ tool }: { readonly tool: Tool }) {
  const { name, title, description, category, permission, callable, pluginName, serverName } = tool;
  const from = pluginName ?? serverName;
  return (
    <>
      <span className="line">
        <span className={callable ? "cut mono grow" : "cut mono grow quiet"}>
          <Shown line text={name} />
        </span>
        {!callable && <span className="quiet small">not callable</span>}
        <Permission of={permission} />
      </span>
      <span className="line small quiet">
        <span className="cut">
          <Shown
            line
            text={`${category}${from === undefined ? "" : ` · ${from}`} · ${title || description}`.slice(
              0,
              200,
            )}
          />
        </span>
      </span>
    </>
  );
}

function fits({ name, title, description, category, aliases }: Tool, text: string): boolean {
  const all = [name, title, category, ...aliases, description].join(" ").toLowerCase();
  return text.split(/\s+/).every((word) => all.includes(word));
}
