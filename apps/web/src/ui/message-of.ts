/** What a person may read about a failure: what `call` throws carries the server's sentence. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
