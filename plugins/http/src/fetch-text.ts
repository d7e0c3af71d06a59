/** How a page is asked for. */
export interface PageRequest {
  url: string;
  headers: Record<string, string>;
  timeoutMs: number;
  mostBytes: number;
}

/**
 * The text of a page and its type. Rejects for any answer other than 200, for one that does not end in time, and for one
 * that is larger than allowed; no more of it is read then.
 */
export async function fetchText(
  { url, headers, timeoutMs, mostBytes }: PageRequest,
  signal: AbortSignal,
): Promise<{ text: string; type: string }> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  const response = await fetch(url, { headers, signal: limit });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new Error(`HTTP ${response.status}`);
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > mostBytes) throw new Error(`the answer is larger than ${mostBytes} bytes`);
    chunks.push(chunk);
  }
  return {
    text: new TextDecoder().decode(Buffer.concat(chunks)),
    type: response.headers.get('content-type') ?? '',
  };
}

/** Why nothing came, in the words of whoever knows: the reason of `fetch failed` stands in its cause. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return 'no answer in time';
  const { cause } = error;
  return cause instanceof Error
    ? cause.message || String((cause as NodeJS.ErrnoException).code)
    : error.message;
}
