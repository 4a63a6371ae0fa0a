import { statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type CliWorld, createCliWorld } from "./cli-world.ts";

let world: CliWorld;
beforeEach(() => {
  world = createCliWorld();
});
afterEach(() => world.close());

const tickets = ["tools", "call", "cs.ticket_list", "{}", "--enable-tool-categories", "customer_support"];

describe("toolgate demo support", () => {
  it("adds data that the support tools find, for its owner only", async () => {
    const { code, out } = await world.run(["demo", "support"]);
    expect(code).toBe(0);
    expect(out).toMatch(/^Added 3 tenants, 5 users and 6 tickets to .*support\.sqlite\.\n/);
    expect(out).toContain(
      "toolgate tools call cs.ticket_list '{}' --enable-tool-categories customer_support\n",
    );
    expect((await world.run(tickets)).out).toContain("tic_login");
    const file = join(world.home, ".local/state/toolgate/support.sqlite");
    expect(statSync(file).mode & 0o077).toBe(0);
  });

  it("leaves what is there as it is", async () => {
    await world.run(["demo", "support"]);
    const { code, out } = await world.run(["demo", "support", "--json"]);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ tenants: 0, users: 0, tickets: 0 });
    expect((await world.run(["demo", "support"])).out).toContain("there already");
  });

  it("does not open the support tools: that stays somebody's decision", async () => {
    await world.run(["demo", "support"]);
    const { code, err } = await world.run(tickets.slice(0, 4));
    expect(code).toBe(1);
    expect(err).toContain("--enable-tool-categories customer_support");
  });
});
