/** The addresses in a text for a tool that fetches all of them: those that the agent takes, and any it might. */

export function urlsInText(text: string): string[] {
  const found = new Set<string>();
  for (const word of text.split(/\s+/)) {
    if (word.includes("://")) {
      // As the agent reads it: a whole word is one address, or an error.
      const taken = hrefOf(word);
      if (taken !== undefined) found.add(taken);
      for (const url of fetchedInstead(taken)) found.add(url);
      // Where the model's own service fetches, it finds addresses between brackets and commas, too.
      for (const part of word.split(/(?=https?:\/\/)/i).filter((piece) => piece.includes("://")))
        found.add(hrefOf(part.replace(closing, "")) ?? part);
    } else if (/^\W*www\.\w/i.test(word)) {
      const host = word.replace(/^\W+/, "").replace(closing, "");
      found.add(hrefOf(`https://${host}`) ?? host);
    }
  }
  return [...found];
}

const closing = /[.,;:!?)\]}>"'`*]+$/;

/** Pages of this host are asked for at another one. */
function fetchedInstead(url: string | undefined): string[] {
  const page = /^https?:\/\/github\.com\/([^/]+\/[^/]+)\/blob\/(.*)$/.exec(url ?? "");
  return page === null ? [] : [`https://raw.githubusercontent.com/${page[1]}/${page[2]}`];
}

/** Undefined: it is no address. */
function hrefOf(word: string): string | undefined {
  try {
    return new URL(word).href;
  } catch {
    return undefined;
  }
}
