/** How an address got out of here; `kept`: the person closed what the system offered. */
export type Shared = 'shared' | 'copied' | 'kept';

/** Hands an address to what the system offers for sharing, else to the clipboard. Errors: when neither takes it. */
export async function share(what: { title: string; url: string }): Promise<Shared> {
  if (typeof navigator.share === 'function') {
    try {
      await navigator.share(what);
      return 'shared';
    } catch (error) {
      if (error instanceof Error && error.name === 'AbortError') return 'kept';
      // Where sharing is not allowed, copying is.
    }
  }
  await navigator.clipboard.writeText(what.url);
  return 'copied';
}
