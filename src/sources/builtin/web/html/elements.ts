/** What each element of HTML is to a reader: a paragraph of its own, a part of a line, or nothing. */

const names = (list: string) => new Set(list.split(" "));

/** They have no content and no end tag. */
export const isVoid = names(
  "area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr",
);

/** They begin a new line before and after them. */
export const isBlock = names(
  "address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure footer form " +
    "h1 h2 h3 h4 h5 h6 header hgroup hr html legend li listing main menu nav ol p pre search section summary " +
    "table tbody td tfoot th thead tr ul",
);

/** What stands in them is not text of the page. */
export const isNoText = names(
  "applet audio button canvas datalist embed iframe map meter noembed noframes object progress script select style svg " +
    "template textarea video xmp",
);

/** Ways around the site; kept where a page marks nothing else as its content. */
export const isNavigation = names("nav search");

/** Around the content of a page they are navigation, within it they belong to it. */
export const isFrame = names("footer aside");

export const navigationRoles = names("navigation search menu menubar toolbar");
export const frameRoles = names("banner contentinfo complementary");

export const headings = new Map(["h1", "h2", "h3", "h4", "h5", "h6"].map((name, index) => [name, index + 1]));
