import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ScriptedIssuer, startScriptedIssuer } from "../../scripted-issuer.ts";
import { consoleRules } from "./console-server.ts";
import { type ConsoleWorld, looks, type Screen, startConsoleWorld } from "./console-world.ts";
import { findBarriers, findOverflow, takePicture } from "./look-at.ts";

let issuer: ScriptedIssuer;
let world: ConsoleWorld;
beforeAll(async () => {
  issuer = await startScriptedIssuer();
  const oauth = [
    "server:",
    "  limits: { max_per_minute: 1000000 }",
    "  oauth:",
    `    issuer: ${issuer.url}`,
    "    audience: http://127.0.0.1",
    `    jwks_url: ${issuer.jwksUrl}`,
    "    allow_private: true",
    "    console:",
    `      client_id: ${issuer.clientId}`,
    "      client_secret_env: TOOLGATE_CLIENT_SECRET",
    "      scopes: [email, groups]",
    "      caller_claim: email",
    "      rights: { approvers: [read, approve, admin] }",
  ].join("\n");
  world = await startConsoleWorld(consoleRules.replace(/^server: .*$/m, oauth), {
    TOOLGATE_CLIENT_SECRET: issuer.clientSecret,
  });
});
afterAll(async () => {
  await world?.close();
  issuer?.close();
});

const openDoor = (path = "/", screen: Screen = {}) => world.open(`${world.url}${path}`, screen);
const door = (page: Page) => page.getByRole("button", { name: /^Sign in with 127\.0\.0\.1:/ });
const inside = (page: Page) => page.getByRole("navigation", { name: "Views" }).waitFor();

describe("signing in with an identity provider", () => {
  it("leads from the button through the issuer's page to the view that one came for, until the token is revoked", async () => {
    const asked = await world.ask("fs.write", { path: "signed.txt", content: "1\n" }, "s-1");
    const { page, context } = await openDoor(`/inbox/${asked.id}`);
    await door(page).click();
    await page.getByRole("link", { name: "Go on as Ada" }).click();
    await inside(page);
    const brought = /code=|state=|login/;
    expect(page.url()).not.toMatch(brought);
    expect(page.url()).toContain(`#/inbox/${asked.id}`);
    expect(await context.cookies()).toEqual([]);

    await page.getByRole("button", { name: /Approve once/ }).click();
    expect((await asked.end)?.ok).toBe(true);
    await page.getByText(/^Approved by console:ada@example\.com:/).waitFor();

    expect(await page.evaluate<string>("JSON.stringify(sessionStorage)")).not.toContain("toolgate.sign-in");

    await page.goto(`${world.url}/#/tokens`);
    const mine = page.getByRole("cell", { name: /^console:ada@example\.com:\w{6}/ });
    await mine.waitFor();
    const name = (await mine.innerText()).split(/\s/)[0] ?? "";
    await takePicture(page, "tokens-signed-in");
    await page.getByRole("button", { name: `Revoke ${name}`, exact: true }).click();
    await page.getByRole("button", { name: `Really revoke ${name}` }).click();
    await page.getByText("Your token is not valid any more").waitFor();
    await door(page).waitFor();
  });

  it("says that it was cancelled, and can be begun again", async () => {
    const { page } = await openDoor();
    await door(page).click();
    await page.getByRole("link", { name: "Cancel" }).click();
    await page.getByRole("alert").getByText("The sign-in was cancelled").waitFor();
    expect(page.url()).not.toContain("error=");
    await takePicture(page, "door-cancelled");
    await door(page).click();
    await page.getByRole("link", { name: "Go on as Ada" }).click();
    await inside(page);
    await page.reload();
    await inside(page);
  });

  it("says who one is where one has no rights, and what to do when the issuer is down", async () => {
    const { page } = await openDoor();
    issuer.follow({ claims: { groups: ["guests"] } });
    await door(page).click();
    await page.getByRole("link", { name: "Go on as Ada" }).click();
    await page.getByRole("alert").getByText("You are signed in as ada@example.com").waitFor();
    issuer.follow({ token: (outgoing) => outgoing.writeHead(503).end() });
    await door(page).click();
    await page.getByRole("link", { name: "Go on as Ada" }).click();
    await page.getByRole("alert").getByText("did not exchange the code").waitFor();
    issuer.follow({});
  });

  it("does not use the sign-in of somebody else, in a tab that began none or another one", async () => {
    const begin = await fetch(`${world.url}/api/console/sign-in`, {
      method: "POST",
      headers: { origin: world.url },
    });
    const { url } = (await begin.json()) as { url: string };
    const planted = new URLSearchParams({ ...issuer.approve(url) }).toString();
    const { page } = await openDoor(`/login?${planted}`);
    await page.getByRole("alert").getByText("This tab did not begin that sign-in").waitFor();
    expect(page.url()).not.toContain("code=");
    await door(page).click();
    await page.getByRole("link", { name: "Go on as Ada" }).waitFor();
    await page.goto(`${world.url}/login?${planted}`);
    await page.getByRole("alert").getByText("begun in another tab").waitFor();
    expect(await page.evaluate<number>("sessionStorage.length")).toBe(0);
  });
});

describe("the door with an identity provider", () => {
  it.each(looks)("has no barriers, $look", async ({ look, ...screen }) => {
    const { page } = await openDoor("/", screen);
    await door(page).waitFor();
    await takePicture(page, `door-sign-in-${look}`);
    expect(await findBarriers(page)).toEqual([]);
    expect(await findOverflow(page)).toBeLessThanOrEqual(0);
  });
});
