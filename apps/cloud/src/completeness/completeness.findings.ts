import { completenessApi } from '@albedo/contract/completeness/completeness.api';
import { FINDING_DAYS } from '@albedo/contract/diagnostics/diagnostics.names';
import type { FindingPlace, FindingSource, Found } from '../house/finding.ts';
import type { CompletenessFindingsStore } from './completeness-findings.store.ts';

type Rows = Awaited<ReturnType<CompletenessFindingsStore['gaps']>>;

/** Events that devices captured but the store does not have. */
export function completenessFindings(store: CompletenessFindingsStore): FindingSource[] {
  const { access } = completenessApi.get;
  return [
    { kind: 'gaps', access, find: async (place) => devicesOf('danger', await store.gaps(sinceOf(place))) },
    {
      kind: 'set-aside',
      access,
      find: async (place) => devicesOf('warning', await store.setAside(sinceOf(place))),
    },
  ];
}

const sinceOf = ({ workgroup, scope, now }: FindingPlace) => ({
  workgroup,
  scope,
  since: now - FINDING_DAYS * 86_400_000,
});

function devicesOf(level: Found['level'], rows: Rows): Found | null {
  const count = rows[0]?.devices ?? 0;
  if (count === 0) return null;
  const examples = rows.map(({ device, name, events, at }) => ({
    ...{ device, name, text: null, amount: events },
    at: Math.round(at),
  }));
  return { count, level, examples };
}
