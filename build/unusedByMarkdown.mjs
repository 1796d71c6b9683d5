// Stands in for two packages that markdown-it imports for text in lines: the
// editor reads only the blocks of Markdown.
/** Stands in for `entities`, the table of names such as `&copy;`. */
export const decodeHTMLStrict = (text) => text;
/** Stands in for `linkify-it`. */
export const LinkifyIt = Object;
