/** What the agent's process knows of our environment: how it reaches its model, and nothing of toolgate's own. */

/** Besides what every child gets (PATH, HOME, the language). Other names are configured by whoever wants them. */
const passedOn =
  /^(?:ANTHROPIC_[A-Z0-9_]+|CLAUDE_CONFIG_DIR|CLAUDE_CODE_OAUTH_TOKEN|CLAUDE_CODE_USE_(?:BEDROCK|VERTEX|FOUNDRY)|(?:HTTPS?|NO)_PROXY|(?:https?|no)_proxy)$/;

/** The version that was installed is the version that runs; the tools that are offered are all in the prompt. */
const fixed = {
  DISABLE_AUTOUPDATER: "1",
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  ENABLE_TOOL_SEARCH: "false",
};

export function agentEnvironment(
  configured: Readonly<Record<string, string>> = {},
  source: Readonly<Record<string, string | undefined>> = process.env,
): Record<string, string> {
  const passed = Object.entries(source).filter(([name]) => passedOn.test(name));
  return withoutOwn({ ...fixed, ...Object.fromEntries(passed), ...configured });
}

/** The SDK adds variables of its own to those that it was given. */
export function withoutOwn(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const kept = Object.entries(env).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && /^[A-Za-z_]\w*$/.test(entry[0]) && !/^TOOLGATE_/i.test(entry[0]),
  );
  return Object.fromEntries(kept);
}
