/** Which agent asks about a call that it runs itself, by its own words: for people and the record, not for rules. */

export interface AskingAgent {
  /** The adapter's name: `claude-code`. */
  readonly name: string;
  readonly version?: string | undefined;
  /** What the agent itself calls the tool, where that differs. */
  readonly tool?: string | undefined;
  /** Set when a sub-agent makes the call. */
  readonly subAgent?: { readonly id?: string | undefined; readonly type?: string | undefined } | undefined;
}

/** As members of a record. */
export interface AgentFacts {
  readonly agent?: string;
  readonly agentVersion?: string;
  readonly agentTool?: string;
  /** Its type and its id. */
  readonly subAgent?: string;
}

/** Nobody has longer names, and a record must not grow as its sender likes. */
const longest = 256;

export function agentFacts({ name, version, tool, subAgent }: AskingAgent): AgentFacts {
  const short = (text: string) => text.slice(0, longest);
  const { type, id } = subAgent ?? {};
  const who = [type, id].filter((part) => part !== undefined && part !== "").join(" ");
  return {
    agent: name,
    ...(version !== undefined && { agentVersion: short(version) }),
    ...(tool !== undefined && { agentTool: short(tool) }),
    ...(who !== "" && { subAgent: short(who) }),
  };
}
