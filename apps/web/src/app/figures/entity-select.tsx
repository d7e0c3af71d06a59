import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { entitiesQuery } from '../entity-query.ts';

interface EntitySelectProps {
  wg: string;
  value: string | null;
  onChange: (entity: string) => void;
  /** Only these; every one without. */
  among?: ReadonlySet<string> | undefined;
}

/** For which entity figures are computed. */
export function EntitySelect({ wg, value, onChange, among }: EntitySelectProps) {
  const { t } = useTranslation();
  const { data } = useQuery(entitiesQuery(wg));
  const choices = useMemo(() => {
    const names = new Map((data ?? []).map(({ _id, name }) => [_id, name]));
    const shown = (data ?? []).filter(({ _id }) => among?.has(_id) ?? true);
    return shown.map(({ _id, name, parent }) => {
      const above = parent === null ? undefined : names.get(parent);
      return { value: _id, label: above === undefined ? name : `${name} (${above})` };
    });
  }, [data, among]);
  return (
    <Select
      searchable
      aria-label={t('kpis.entity')}
      placeholder={t('kpis.entity')}
      data={choices}
      limit={100}
      value={value}
      allowDeselect={false}
      onChange={(entity) => entity !== null && onChange(entity)}
      w={300}
      maw="100%"
    />
  );
}

/** The entity that was chosen, or the first at the top of the tree, with the most below it first. */
export function useEntityChoice(
  wg: string,
  chosen: string | null,
): { entity: string | null; hasNone: boolean } {
  const { data } = useQuery(entitiesQuery(wg));
  const roots = (data ?? []).filter(({ parent, isNameOnly }) => parent === null && !isNameOnly);
  const first = roots.toSorted((a, b) => b.children.length - a.children.length)[0] ?? data?.[0];
  const entity = data?.some(({ _id }) => _id === chosen) ? chosen : (first?._id ?? null);
  return { entity, hasNone: data?.length === 0 };
}
