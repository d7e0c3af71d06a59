/** How far before and after an event photos belong to it, ms. Source: specification 2, section 13. */
export const EVENT_WINDOW_MS = 15 * 60_000;

/** The time around an event, such as `2026-03-01T12:00Z` or epoch ms; null where the text names none. */
export function aroundEvent(
  event: unknown,
  windowMs: number = EVENT_WINDOW_MS,
): { from: number; to: number } | null {
  const text = typeof event === 'string' || typeof event === 'number' ? String(event) : '';
  const at = /^\d{10,16}$/.test(text) ? Number(text) : Date.parse(text);
  return Number.isFinite(at) ? { from: at - windowMs, to: at + windowMs } : null;
}
