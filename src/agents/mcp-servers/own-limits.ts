/** What an agent's file says about a server besides how it is reached: which of its tools there are, and who signs in. */
import { type ForeignServer, textsOf } from "./foreign-server.ts";

/**
 * Tools that the agent leaves out are left out behind the gate, too. Where only some are let in, or where the agent
 * signs in by itself, the server stays: without that it would be another one.
 */
export function withOwnLimits(server: ForeignServer, written: unknown): ForeignServer {
  if (server.unusable !== undefined) return server;
  const { includeTools, excludeTools, tools, oauth, authProviderType } = written as Limits;
  const isSome = includeTools !== undefined || (tools !== undefined && !textsOf(tools)?.includes("*"));
  if (isSome)
    return {
      ...server,
      unusable: "it offers only some of its tools, and behind the gate it would offer all",
    };
  if (oauth !== undefined || authProviderType !== undefined)
    return { ...server, unusable: "the agent signs in to it by itself" };
  const left = textsOf(excludeTools);
  // Some write a part of the input behind the name.
  if (excludeTools !== undefined && !left?.every((name) => /^[\w./-]+$/.test(name)))
    return { ...server, unusable: "it is not clear which of its tools are left out" };
  return left === undefined ? server : { ...server, disabledTools: left };
}

type Limits = Readonly<
  Partial<Record<"includeTools" | "excludeTools" | "tools" | "oauth" | "authProviderType", unknown>>
>;
