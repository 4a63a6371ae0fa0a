import { describe, expect, it } from "vitest";
import {
  type RoleIndex,
  type RoleName,
  readField,
  readRoles,
  rolesOf,
} from "../../../src/core/input-roles.ts";

const conventional = rolesOf({});

function valuesInRole(index: RoleIndex, role: RoleName, input: unknown): readonly string[] {
  return readRoles(index, input)?.[role] ?? [];
}

describe("the roles of an input", () => {
  it.each([
    ["command", { cmd: "ls" }, ["ls"]],
    ["command", { command: ["bash", "-lc", "ls -l"] }, ["bash -lc 'ls -l'"]],
    ["command", { command: ["echo", "it's"] }, ["echo 'it'\\''s'"]],
    ["command", { commands: ["ls", "pwd"] }, ["ls", "pwd"]],
    ["path", { file_path: "a", destination: "b" }, ["a", "b"]],
    ["path", { paths: ["a", "b"] }, ["a", "b"]],
    ["path", { files: [{ path: "a" }, { path: "b" }] }, ["a", "b"]],
    ["path", { files: ["a", "b"] }, ["a", "b"]],
    ["url", { uri: "https://a.example" }, ["https://a.example"]],
    ["content", { new_string: "x", content: "y" }, ["x", "y"]],
  ] as const)("find the %s in %j", (role, input, expected) => {
    expect(valuesInRole(conventional, role, input)).toEqual(expected);
  });

  it("are none for an input without such fields or without fields", () => {
    for (const input of [{ q: "x" }, {}, [], "path", null, 7, undefined])
      expect(readRoles(conventional, input)).toBeUndefined();
  });

  it("read own properties only", () => {
    expect(readRoles(conventional, Object.create({ path: "/etc/passwd" }))).toBeUndefined();
    expect(readField(JSON.parse('{"__proto__": {"path": "x"}}'), "path")).toBeUndefined();
    expect(readField({}, "constructor.name")).toBeUndefined();
  });

  it("are only those a tool states, if it states them", () => {
    const stated = rolesOf({ roles: { path: ["where"] } });
    expect(readRoles(stated, { where: "a", path: "b", command: "ls" })).toEqual({
      command: [],
      path: ["a"],
      url: [],
      content: [],
      unreadable: [],
    });
  });

  it("hold no paths for a tool that says it touches no files", () => {
    const api = rolesOf({ capabilities: ["net:fetch"] });
    expect(valuesInRole(api, "path", { path: "/v1/users" })).toEqual([]);
    expect(valuesInRole(rolesOf({ capabilities: ["net:fetch", "fs:read"] }), "path", { path: "a" })).toEqual([
      "a",
    ]);
    expect(valuesInRole(rolesOf({ capabilities: ["*"] }), "path", { path: "a" })).toEqual(["a"]);
  });
});

describe("a field", () => {
  const input = { a: { b: [{ c: 1 }, { c: 2 }, {}] }, "x.y": "dotted", list: ["p", "q"] };

  it.each([
    ["a.b[].c", [1, 2]],
    ["x.y", "dotted"],
    ["list[]", ["p", "q"]],
    ["a.b", [{ c: 1 }, { c: 2 }, {}]],
    ["a.z", undefined],
    ["list[].c", undefined],
  ])("%j is read as %j", (field, expected) => {
    expect(readField(input, field)).toEqual(expected);
  });
});
