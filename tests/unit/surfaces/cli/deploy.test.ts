/** The files of `examples/deploy` against the product: flags, routes, ports and paths that exist, a configuration that is read. */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { findFolders } from "../../../../src/config/folders.ts";
import { liveRoute, readyRoute } from "../../../../src/surfaces/rest/routes/health.ts";
import { useCliWorld } from "./cli-world.ts";
import { expectEnd } from "./expect-end.ts";

/** As YAML is: a test names the fields that it looks at. */
type Parsed = ReturnType<typeof parse>;

const text = (name: string) =>
  readFileSync(resolve(import.meta.dirname, "../../../../examples/deploy", name), "utf8");
const containerfile = text("Containerfile");
const compose = parse(text("compose.yaml"), { merge: true });
const objects = parseAllDocuments(text("kubernetes.yaml"), { merge: true }).map((one): Parsed => one.toJS());
const ofKind = (name: string) => objects.find(({ kind }) => kind === name) ?? expect.fail(name);
const stateful = ofKind("StatefulSet").spec;
const { labels } = stateful.template.metadata;
const [container] = stateful.template.spec.containers;
const gates = Object.entries<Parsed>(compose.services).filter(([name]) => name.startsWith("gate-"));
const composeText = compose.configs.toolgate.content;
const kubernetesText = ofKind("ConfigMap").data["toolgate.yaml"];
const [composeConfig, kubernetesConfig] = [parse(composeText), parse(kubernetesText)];
const port = /^EXPOSE (\d+)$/m.exec(containerfile)?.[1];
const volume = /^VOLUME \["(.*)"\]$/m.exec(containerfile)?.[1];
const admin = findFolders({ HOME: "/home/node" }).admin;

describe("the files of examples/deploy", () => {
  const world = useCliWorld(() => {}, "file");

  it("start the server with options that it has", async () => {
    const { out } = await world.run("serve --help");
    const commands = [...gates.map(([, { command }]) => command), container.args];
    for (const [first, ...rest] of commands) {
      expect(first).toBe("serve");
      for (const flag of rest.filter((one: string) => one.startsWith("--")))
        expect(out).toContain(`${flag} <`);
    }
    expect(out).toContain(`Default: ${port}`);
  });

  it("run two replicas, each with a state folder of its own where the image keeps it", () => {
    expect(gates).toHaveLength(2);
    const states = gates.map(([, { volumes }]) => volumes.find((one: string) => one.endsWith(`:${volume}`)));
    expect(new Set(states).size).toBe(2);
    for (const state of states) expect(compose.volumes).toHaveProperty(state?.split(":")[0] ?? "");
    expect(stateful.replicas).toBe(2);
    const [claim] = stateful.volumeClaimTemplates;
    expect(container.volumeMounts).toContainEqual({ name: claim.metadata.name, mountPath: volume });
    expect(ofKind("PodDisruptionBudget").spec).toEqual({
      minAvailable: 1,
      selector: { matchLabels: labels },
    });
    expect(ofKind("Service").spec).toMatchObject({ selector: labels });
  });

  it("give them a configuration that is read without a problem, at the administrator's place", async () => {
    for (const config of [composeText, kubernetesText]) {
      const file = world.file("toolgate-deploy.yaml", config);
      await expectEnd(world.run(["config", "validate", "--config", file]), { err: "" });
    }
    for (const [, { configs: given }] of gates) expect(given[0]?.target).toBe(join(admin, "toolgate.yaml"));
    expect(container.volumeMounts).toContainEqual({ name: "config", mountPath: admin, readOnly: true });
  });

  it("put the password where the configuration looks for it", () => {
    const ofCompose = composeConfig.store.password_file;
    for (const [, { secrets }] of gates) expect(ofCompose).toBe(`/run/secrets/${secrets[0]}`);
    expect(compose.services.db.environment.POSTGRES_PASSWORD_FILE).toBe(ofCompose);
    const { password_file: password, ca } = kubernetesConfig.store;
    const mount = container.volumeMounts.find(({ name }: Parsed) => name === "db");
    expect([password, ca]).toEqual([`${mount?.mountPath}/password`, `${mount?.mountPath}/ca.pem`]);
  });

  it("ask for routes that exist, by a name that the server answers to, on the port that it listens on", () => {
    const { readinessProbe, livenessProbe, ports } = container;
    const { hosts } = kubernetesConfig.server;
    expect(readinessProbe.httpGet.path).toBe(readyRoute.path);
    expect(livenessProbe.httpGet.path).toBe(liveRoute.path);
    for (const { httpGet } of [readinessProbe, livenessProbe])
      expect(httpGet.httpHeaders).toEqual([{ name: "Host", value: hosts[0] }]);
    expect(String(ports[0]?.containerPort)).toBe(port);
    const proxy = compose.configs.haproxy.content;
    const [host] = composeConfig.server.hosts;
    expect(proxy).toContain(`uri ${readyRoute.path} hdr Host ${host}`);
    for (const [name, { healthcheck }] of gates) {
      expect(proxy).toContain(`server ${name} ${name}:${port}`);
      expect(healthcheck.test.join(" ")).toContain(`:${port}${readyRoute.path}`);
    }
    expect(compose.services.proxy.ports).toEqual([`${port}:${port}`]);
  });

  it("wait for longer than running calls may take to end", () => {
    expect(Number.parseInt(gates[0]?.[1].stop_grace_period ?? "", 10)).toBeGreaterThan(10);
    const { terminationGracePeriodSeconds } = stateful.template.spec;
    expect(terminationGracePeriodSeconds).toBeGreaterThan(10 + container.lifecycle.preStop.sleep.seconds);
  });

  it("have the driver of the database in the image", () => {
    expect(containerfile).toMatch(/npm install --global --ignore-scripts \S+ pg@8/);
  });
});
