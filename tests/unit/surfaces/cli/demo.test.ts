import { statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { useCliWorld } from "./cli-world.ts";
import { refuses, says } from "./expect-end.ts";

const world = useCliWorld();

const tickets = ["tools", "call", "cs.ticket_list", "{}", "--enable-tool-categories", "customer_support"];

describe("toolgate demo support", () => {
  it("adds data that the support tools find, for its owner only", async () => {
    await says(
      world.run("demo support"),
      /^Added 3 tenants, 5 users and 6 tickets to .*support\.sqlite\.\n/,
      "toolgate tools call cs.ticket_list '{}' --enable-tool-categories customer_support\n",
    );
    expect((await world.run(tickets)).out).toContain("tic_login");
    const file = join(world.home, ".local/state/toolgate/support.sqlite");
    expect(statSync(file).mode & 0o077).toBe(0);
  });

  it("leaves what is there as it is", async () => {
    await world.run("demo support");
    expect(await world.json("demo support")).toMatchObject({ tenants: 0, users: 0, tickets: 0 });
    expect((await world.run("demo support")).out).toContain("there already");
  });

  it("does not open the support tools: that stays somebody's decision", async () => {
    await world.run("demo support");
    await refuses(world.run(tickets.slice(0, 4)), "--enable-tool-categories customer_support");
  });
});
