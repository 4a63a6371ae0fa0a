/** Groups of tools: which are on, and how much they may do at most. Changes hold until the server ends. */
import type { Category, CategoryList } from "toolgate/contract";
import { useRight } from "../api/console-context.tsx";
import { useChange, useRead } from "../api/use-read.ts";
import { count } from "../parts/numbers.ts";
import { Shown } from "../parts/shown.tsx";
import { Failure, Read } from "../parts/states.tsx";
import { Table } from "../parts/table.tsx";

export function Categories() {
  const reading = useRead<CategoryList>("api/categories");
  const isAdmin = useRight("admin");
  const change = useChange(["api/categories", "api/tools"]);
  const set = (one: Category, to: boolean) =>
    change.mutate({
      path: `api/categories/${encodeURIComponent(one.id)}/${to ? "enable" : "disable"}`,
      method: "POST",
      body: {},
    });
  const limit = (one: Category, ceiling: string) =>
    change.mutate({
      path: `api/categories/${encodeURIComponent(one.id)}/ceiling`,
      method: "PUT",
      body: { ceiling },
    });
  return (
    <div className="detail">
      <div className="detail-head">
        <h2>Categories</h2>
        <p className="quiet">
          {isAdmin ? "A change holds until the server ends." : "Your token may look, not change."} What should
          last belongs into the configuration.
        </p>
      </div>
      {change.error !== null && <Failure error={change.error} />}
      <Read of={reading}>
        {({ categories }) => (
          <Table heads={["Category", "At most", "#Tools"]}>
            {categories.map((one) => (
              <tr key={one.id}>
                <td>
                  <label className="check">
                    <input
                      type="checkbox"
                      checked={one.enabled}
                      disabled={!isAdmin || change.isPending}
                      onChange={(event) => set(one, event.target.checked)}
                    />
                    <strong>
                      <Shown line text={one.name} />
                    </strong>
                  </label>
                  <span className="quiet small">
                    <Shown text={one.description} />
                  </span>
                </td>
                <td>
                  <select
                    aria-label={`What ${one.name} may do at most`}
                    value={one.ceiling}
                    disabled={!isAdmin || change.isPending}
                    onChange={(event) => limit(one, event.target.value)}
                  >
                    <option>read</option>
                    <option>write</option>
                    <option>execute</option>
                  </select>
                </td>
                <td className="number">{count(one.tools)}</td>
              </tr>
            ))}
          </Table>
        )}
      </Read>
    </div>
  );
}
