import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findFolders } from "../../../src/config/folders.ts";

describe("the user's folders", () => {
  it.each([
    ...["/home/ann", "/home/ann/", "/", "//home//ann", "/home/./ann", "/home/ann/.", "/home/bob/../ann"],
    "/home/..ann",
  ])("are the same for a home written as %s", (home) => {
    const { config, state, data, cache } = findFolders({ HOME: home }, "linux");
    expect({ config, state, data, cache }).toEqual({
      config: join(home, ".config/toolgate"),
      state: join(home, ".local/state/toolgate"),
      data: join(home, ".local/share/toolgate"),
      cache: join(home, ".cache/toolgate"),
    });
  });

  it("lie where the variables say, unless these are relative", () => {
    const folders = findFolders(
      { HOME: "/home/ann", XDG_STATE_HOME: "/srv/../state/", XDG_CACHE_HOME: "cache" },
      "linux",
    );
    expect(folders).toMatchObject({ state: "/state/toolgate", cache: "/home/ann/.cache/toolgate" });
  });
});
