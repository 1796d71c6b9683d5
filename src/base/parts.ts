/** Texts and lists of parts that may be missing. */

/** Joins the texts. Leaves out missing and empty ones. */
export function joinParts(
  separator: string,
  ...parts: readonly (string | false | undefined)[]
): string {
  return parts.filter(Boolean).join(separator);
}

type Present<Part> = Exclude<Part, false | undefined>;

/** Lists the parts. Leaves out `false` and `undefined`. */
export function present<const Parts extends readonly unknown[]>(
  ...parts: Parts
): Present<Parts[number]>[] {
  return parts.filter(
    (part): part is Present<Parts[number]> =>
      part !== false && part !== undefined,
  );
}
