import { namesOfSources, sourceKey } from '@albedo/contract/entities/source-names';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { entitiesQuery } from './entity-query.ts';
import { useWorkgroup } from './session.ts';

/** What sources of a device are called: as the entity that each of them is, else by their own names. */
export function useSourceNames(device: string): (source: string) => string {
  const { data } = useQuery(entitiesQuery(useWorkgroup()));
  const names = useMemo(() => namesOfSources(data ?? []), [data]);
  return useCallback((source) => names.get(sourceKey(device, source)) ?? source, [names, device]);
}
