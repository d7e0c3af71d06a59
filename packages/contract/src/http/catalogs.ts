/**
 * Failures by name, each with its HTTP status and the sentence for people; `code` is what an answer says in place of the
 * status. Statuses and texts of the specification (document 1 section 8, document 2 sections 5 and 8) stand word for
 * word. `{name}` in a text is replaced by the fact of that name.
 */
export type ErrorCatalog = Readonly<Record<`${string}.${string}`, CatalogEntry>>;

export interface CatalogEntry {
  status: number;
  code?: number;
  text: string;
}

/** What may be wrong with a value: sentences by name, in which `{name}` is replaced by the fact of that name. */
export type IssueCatalog = Readonly<Record<`issue.${string}`, string>>;
