/** Says whether an element's attributes hide it: unseen text is a good place to instruct a machine. */
import type { Attributes } from "./tokens.ts";

export function isHidden(name: string, attributes: Attributes): boolean {
  if (attributes.size === 0) return name === "dialog";
  if (attributes.has("hidden") || attributes.get("aria-hidden")?.trim().toLowerCase() === "true") return true;
  if (name === "dialog" && !attributes.has("open")) return true;
  if (name === "input" && attributes.get("type")?.toLowerCase() === "hidden") return true;
  const style = attributes.get("style");
  return style !== undefined && hidingStyle.test(style.toLowerCase().replace(/\s+|!important/g, ""));
}

/** Not drawn, drawn at no size, drawn through, or drawn far outside of the page. */
const hidingStyle =
  /(?:^|;)(?:display:none|visibility:(?:hidden|collapse)|opacity:0?\.?0*(?:;|$)|font-size:0[a-z%]*(?:;|$)|(?:left|right|top|bottom|text-indent|margin-left):-\d{4,}|(?:max-)?(?:height|width):0[a-z%]*(?:;|$)|color:transparent|clip:rect\(0|clip-path:inset\((?:50|100)%|content-visibility:hidden|transform:scale\(0)/;
