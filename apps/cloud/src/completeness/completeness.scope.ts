import type { Completeness } from '@albedo/contract/completeness/completeness.schema';

/**
 * The completeness of some sources of a device: its counts are those of the visible streams, and gaps that belong to no
 * single stream are left out.
 */
export function ofSources(all: Completeness, sources: ReadonlySet<string>): Completeness {
  const streams = all.streams.filter(({ source }) => sources.has(source));
  const sum = (key: 'captured' | 'stored' | 'dropped' | 'setAside') =>
    streams.reduce((total, stream) => total + stream[key], 0);
  const [captured, stored, dropped, setAside] = [
    sum('captured'),
    sum('stored'),
    sum('dropped'),
    sum('setAside'),
  ];
  return {
    ...all,
    captured,
    stored,
    dropped,
    setAside,
    pending: Math.max(0, captured - stored - dropped - setAside),
    streams,
    imported: all.imported.filter(({ source }) => sources.has(source)),
    gaps: all.gaps.filter(({ source }) => source !== null && sources.has(source)),
  };
}
