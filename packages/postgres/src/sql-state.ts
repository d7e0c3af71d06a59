/** The SQLSTATE of what a statement failed with, also where a library has put its own error around it; none for other errors. */
export function sqlStateOf(error: unknown): string | undefined {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: { code?: unknown } };
  const state = cause?.code ?? code;
  return typeof state === 'string' ? state : undefined;
}
