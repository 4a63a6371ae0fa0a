/** How elements of HTML nest by its standard: what ends what, and how far an end tag reaches. */

const names = (list: string) => new Set(list.split(" "));

/** An end tag of another element does not pass them. */
export const isSpecial = names(
  "address applet article aside blockquote body button caption center colgroup dd details dir div dl dt fieldset figcaption figure " +
    "footer form frameset h1 h2 h3 h4 h5 h6 head header hgroup html iframe li listing main marquee menu nav noembed noframes " +
    "noscript object ol p plaintext pre script search section select style summary table tbody td template textarea tfoot th thead " +
    "title tr ul xmp",
);

/** Their end tag ends all that is still open in them. */
export const endsAllInside = names(
  "address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer header hgroup listing main " +
    "menu nav ol p pre search section summary ul li dd dt body html",
);

/** They go on behind the end of what is around them, until their own end tag. */
export const isFormatting = names("a b big code em font i nobr s small strike strong tt u");

/** An open paragraph ends where one of these begins. */
export const endsParagraph = names(
  "address article aside blockquote center details dialog dir div dl dd dt fieldset figcaption figure footer form " +
    "h1 h2 h3 h4 h5 h6 header hgroup hr li listing main menu nav ol p pre search section summary table ul",
);

/** A drawing or formula that holds one of these was not closed. */
export const endsDrawing = names(
  "b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta nobr ol p pre " +
    "ruby s small span strong strike sub sup table tt u ul var",
);

export const isTablePart = names("caption colgroup thead tbody tfoot tr td th");
export const isList = names("ul ol dl menu dir");
export const isItem = names("li dt dd");
/** Nothing in them ends what is around them, whatever its name. */
export const isWall = names("template select button object marquee applet");
