/** First line of the file of a setpoint. */
export const SCHEDULE_HEADER = 'datetime,value';

/**
 * The file of a setpoint, as it lies on the device: CSV, a line for each entry, UTC. Where an end comes after the last entry,
 * a last line with an empty value says it, so that the plugin lets go by itself; what comes at the end or after it never holds
 * and is left out. Cloud and device both make it of an order and compare its SHA-256 (UTF-8).
 */
export function scheduleFile({
  entries,
  endsAt,
}: {
  entries: readonly { datetime: string; value: string }[];
  /** Epoch ms; null for none. */
  endsAt: number | null;
}): string {
  const lines = entries
    .filter(({ datetime }) => endsAt === null || Date.parse(datetime) < endsAt)
    .map(({ datetime, value }) => `${new Date(datetime).toISOString()},${value}`);
  if (endsAt !== null && lines.length > 0) lines.push(`${new Date(endsAt).toISOString()},`);
  return `${[SCHEDULE_HEADER, ...lines].join('\n')}\n`;
}
