/** How many are kept: the newest of each of the last days, weeks and months that have one. */
const KEPT = { days: 7, weeks: 4, months: 12 } as const;

const NAME = /^albedo-(\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}Z)\.tar\.zst\.age$/;

export const backupName = (at: Date): string =>
  `albedo-${at.toISOString().slice(0, 19).replaceAll(':', '-')}Z.tar.zst.age`;

/** The backups among these names that nobody needs any more; other names are left alone. */
export function outdated(names: readonly string[]): string[] {
  const all = names
    .flatMap((name) => {
      const text = NAME.exec(name)?.[1];
      return text ? [{ name, at: new Date(text.replace(/T(\d\d)-(\d\d)-(\d\d)Z/, 'T$1:$2:$3Z')) }] : [];
    })
    .toSorted((a, b) => b.at.getTime() - a.at.getTime());
  const kept = new Set<string>();
  const keep = (count: number, periodOf: (at: Date) => string) => {
    const periods = new Set<string>();
    for (const { name, at } of all) {
      const period = periodOf(at);
      if (periods.has(period)) continue;
      if (periods.size === count) break;
      periods.add(period);
      kept.add(name);
    }
  };
  keep(KEPT.days, (at) => at.toISOString().slice(0, 10));
  keep(KEPT.weeks, weekOf);
  keep(KEPT.months, (at) => at.toISOString().slice(0, 7));
  return all.flatMap(({ name }) => (kept.has(name) ? [] : [name]));
}

/** The Monday of its week. */
function weekOf(at: Date): string {
  const day = (at.getUTCDay() + 6) % 7;
  return new Date(at.getTime() - day * 86_400_000).toISOString().slice(0, 10);
}
