/** How many are kept: the newest of each of the last days, weeks and months that have one. */
const KEPT = { days: 7, weeks: 4, months: 12 } as const;

const NAME =
  /^albedo-(\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}Z)(?:\.since-(\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}Z))?\.tar\.zst\.age$/;

const wholeName = (time: string): string => `albedo-${time}.tar.zst.age`;

/** `base` is the name of the whole backup that it adds to. */
export function backupName(at: Date, base?: string): string {
  const time = `${at.toISOString().slice(0, 19).replaceAll(':', '-')}Z`;
  const since = base && NAME.exec(base)?.[1];
  return wholeName(since ? `${time}.since-${since}` : time);
}

/** The backups among these names that nobody needs any more; other names are left alone. */
export function outdated(names: readonly string[]): string[] {
  const all = names
    .flatMap((name) => {
      const [, text, base] = NAME.exec(name) ?? [];
      if (!text) return [];
      const at = new Date(text.replace(/T(\d\d)-(\d\d)-(\d\d)Z/, 'T$1:$2:$3Z'));
      return [{ name, at, adds: base === undefined ? 0 : 1 }];
    })
    // One that adds to a whole one of the same second is the newer of both.
    .toSorted((a, b) => b.at.getTime() - a.at.getTime() || b.adds - a.adds);
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
  // A whole one stays as long as one that adds to it.
  for (const name of [...kept]) {
    const base = NAME.exec(name)?.[2];
    if (base) kept.add(wholeName(base));
  }
  return all.flatMap(({ name }) => (kept.has(name) ? [] : [name]));
}

/** The Monday of its week. */
function weekOf(at: Date): string {
  const day = (at.getUTCDay() + 6) % 7;
  return new Date(at.getTime() - day * 86_400_000).toISOString().slice(0, 10);
}
