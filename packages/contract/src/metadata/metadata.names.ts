/** How large a file of metadata may be. */
export const METADATA_FILE = { rows: 20_000, columns: 200, bytes: 20_000_000 } as const;
