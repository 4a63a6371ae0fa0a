import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findStore } from "../../../../src/open/store/find-store.ts";
import { createWorld } from "../world.ts";

describe("the store in the configuration", () => {
  it("is the state folder where nobody names another one", async () => {
    const { env, folders } = createWorld();
    expect(await findStore(env)).toEqual({ stateFolder: folders.state });
  });

  it("is the database of the user's file, whose files lie where that file says", async () => {
    const world = createWorld({
      user: "store: { url: 'postgres://gate@db/toolgate', password_file: secret, ca: ~/ca.pem }\n",
    });
    const { postgres } = await findStore(world.env);
    expect(postgres).toEqual({
      url: "postgres://gate@db/toolgate",
      passwordFile: join(world.folders.config, "secret"),
      ca: join(world.home, "ca.pem"),
    });
  });

  it("is that of TOOLGATE_STORE only where no file names one", async () => {
    const world = createWorld();
    const env = { ...world.env, TOOLGATE_STORE: "postgres://other/db" };
    expect((await findStore(env)).postgres).toEqual({ url: "postgres://other/db" });
    world.user("store: postgres://gate@db/toolgate\n");
    expect((await findStore(env)).postgres).toEqual({ url: "postgres://gate@db/toolgate" });
  });

  it("is never a project's business, and a note says so", async () => {
    const config = await createWorld({ project: "store: postgres://evil/db\n" }).open();
    expect(config.settings.store).toBeUndefined();
    expect(JSON.stringify([config.notes, config.ignored])).toContain("store");
  });

  it.for([
    ["store: mysql://db/x\n", "begins with postgres://"],
    ["store: postgres://gate:hunter2@db/x\n", "no password"],
    ["store: { url: 'postgres://gate:hunter2@db/x' }\n", "no password"],
    ["store: { urll: 'postgres://db/x' }\n", "store"],
  ])("is refused with a message that repeats no password: %s", async ([text = "", told = ""]) => {
    const world = createWorld({ user: text });
    const { problems } = await world.open();
    const said = problems.map(({ message }) => message).join("\n");
    expect(said).toContain(told);
    expect(said).not.toContain("hunter2");
    await expect(findStore(world.env)).rejects.toThrow("not clear where records are kept");
  });
});
