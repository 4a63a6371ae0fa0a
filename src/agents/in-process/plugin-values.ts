/** What an installation writes into the first lines of a plugin, as JSON. */

export interface PluginValues {
  /** Who asks: the first argument of the hook. */
  readonly agent: string;
  readonly node: string;
  /** The copy of the hook. */
  readonly hook: string;
  /** How long a call may wait for a person. */
  readonly seconds: number;
  /** Variables that the hook's process may know; everything else can change what it loads. */
  readonly variables: readonly string[];
}

declare global {
  /** In a plugin's file only. */
  const toolgateValues: PluginValues;
}
