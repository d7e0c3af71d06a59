import { useQuery } from '@tanstack/react-query';
import { FilterEditor } from '../../app/filters/filter-editor.tsx';
import { useWorkgroup } from '../../app/session.ts';
import { deviceListQuery } from '../devices/devices.queries.ts';
import { tableQuery } from '../telemetry/telemetry.queries.ts';
import { baseQuery, zoneOf } from './found.ts';
import type { SearchDraft } from './search-draft.ts';
import { valuesQuery } from './searches.queries.ts';

interface SearchFiltersProps {
  draft: SearchDraft;
  table: string;
  onChange: (change: Partial<SearchDraft>) => void;
}

/** The filters of a search. */
export function SearchFilters({ draft, table, onChange }: SearchFiltersProps) {
  const wg = useWorkgroup();
  const { data: info } = useQuery({ ...tableQuery(wg, table), retry: false });
  const { data: devices } = useQuery(deviceListQuery(wg));
  const { filters, filterOperator: operator } = draft;
  return (
    <FilterEditor
      group={{ operator, filters }}
      info={info}
      devices={devices}
      zone={zoneOf(draft)}
      // Of the same time; what other filters let through is no matter, so that a value can be added beside them.
      valuesOf={(field) => valuesQuery(wg, table, field, { ...baseQuery(draft), filters: [] })}
      onChange={(next) => onChange({ filters: next.filters, filterOperator: next.operator })}
    />
  );
}
