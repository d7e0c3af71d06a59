import type { KnownSource } from '@albedo/contract/entities/streams.schema';
import type { FieldRole } from '@albedo/contract/field-roles/field-roles';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { entitySourcesQuery } from '../../app/entity-query.ts';
import { useWorkgroup } from '../../app/session.ts';
import { collator } from '../../ui/units/locale.ts';

/** A field that devices send, however many of them do. */
interface KnownField {
  table: string;
  field: string;
  units: string | null;
  role: FieldRole | null;
  /** How many sources have it. */
  count: number;
}

/** The fields that devices are known to send, by table; those with a role of energy come first. */
export function useKnownFields(): readonly KnownField[] {
  const { data } = useQuery(entitySourcesQuery(useWorkgroup()));
  return useMemo(() => fieldsOf(data ?? []), [data]);
}

function fieldsOf(sources: readonly KnownSource[]): KnownField[] {
  const known = new Map<string, KnownField>();
  for (const { table, fields, entity } of sources) {
    // What calculations write is no field of a device.
    if (entity !== undefined) continue;
    for (const { name, units, role } of fields) {
      const key = keyOf({ table, field: name });
      const before = known.get(key);
      known.set(key, {
        table,
        field: name,
        units: before?.units ?? units,
        role: before?.role ?? role,
        count: (before?.count ?? 0) + 1,
      });
    }
  }
  const { compare } = collator();
  return [...known.values()].toSorted((a, b) => compare(a.table, b.table) || compare(a.field, b.field));
}

/** A field as the value of a choice. */
export const keyOf = ({ table, field }: { table: string; field: string }): string => `${table}\n${field}`;

export function fieldIn(key: string): { table: string; field: string } {
  const [table = '', field = ''] = key.split('\n');
  return { table, field };
}

/** Choices by table, each with its unit; what is chosen already is among them, known or not. */
export function fieldChoices(known: readonly KnownField[], chosen?: { table: string; field: string }) {
  const all =
    chosen && !known.some((one) => keyOf(one) === keyOf(chosen))
      ? [...known, { ...chosen, units: null, role: null, count: 0 }]
      : known;
  const groups = new Map<string, { value: string; label: string }[]>();
  for (const one of all) {
    const items = groups.get(one.table) ?? [];
    items.push({ value: keyOf(one), label: one.units ? `${one.field} (${one.units})` : one.field });
    groups.set(one.table, items);
  }
  return [...groups].map(([group, items]) => ({ group, items }));
}
