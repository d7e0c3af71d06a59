import type { FoundModbus } from '@albedo/contract/link/link.network';

/** All bus addresses that one service of one plugin reads behind one port. */
export interface FoundLine {
  plugin: 'sunspec' | 'modbus';
  host: string;
  port: number;
  units: string;
  /** A name for the service, of the letters that services may have. */
  service: string;
}

export function linesOf(found: readonly FoundModbus[]): FoundLine[] {
  const groups = Map.groupBy(found, ({ protocol, ip, port }) => `${protocol} ${ip} ${port}`);
  return [...groups.values()].flatMap((those) => {
    const [first] = those;
    if (!first) return [];
    const { protocol: plugin, ip: host, port } = first;
    const units = rangesOf(those.map(({ unit }) => unit));
    const place = `${host}-${port}`.toLowerCase().replace(/[^a-z0-9]+/g, '-');
    return [{ plugin, host, port, units, service: `${plugin}-${place}` }];
  });
}

/** Numbers as plugins take them: `1-3,7`. */
export function rangesOf(numbers: readonly number[]): string {
  const sorted = [...new Set(numbers)].sort((a, b) => a - b);
  const ranges: [number, number][] = [];
  for (const one of sorted) {
    const last = ranges.at(-1);
    if (last && last[1] === one - 1) last[1] = one;
    else ranges.push([one, one]);
  }
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(',');
}
