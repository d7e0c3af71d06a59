import {
  type Composition,
  type CompositionType,
  newDeviceGroup,
} from '@albedo/contract/device-groups/device-groups.schema';
import { z } from 'zod';

export const COMPOSITION_TYPES: readonly CompositionType[] = ['IN', 'NOT IN', 'META', 'SRC'];

/** What the form holds: what was chosen for one kind of composition is still there when another one is looked at. */
export interface Draft {
  name: string;
  type: CompositionType;
  devices: ReadonlySet<string>;
  /** By device; a device without an entry has all of its sources. */
  sources: ReadonlyMap<string, readonly string[]>;
  field: string;
  operator: '=' | '!=';
  value: string;
}

export function draftOf(group?: { name: string; composition: Composition }): Draft {
  const empty: Draft = {
    name: group?.name ?? '',
    type: group?.composition.type ?? 'IN',
    devices: new Set(),
    sources: new Map(),
    field: '',
    operator: '=',
    value: '',
  };
  const composition = group?.composition;
  if (!composition) return empty;
  if (composition.type === 'META') return { ...empty, ...composition };
  if (composition.type === 'SRC') {
    const limited = composition.devices.flatMap(({ device, sources }) =>
      sources ? [[device, sources] as const] : [],
    );
    const devices = new Set(composition.devices.map(({ device }) => device));
    return { ...empty, devices, sources: new Map(limited) };
  }
  return { ...empty, devices: new Set(composition.devices) };
}

export function compositionOf({ type, devices, sources, field, operator, value }: Draft): Composition {
  if (type === 'META') return { type, field: field.trim(), operator, value: value.trim() };
  if (type === 'SRC') {
    return {
      type,
      devices: [...devices].map((device) => {
        const some = sources.get(device);
        return { device, sources: some ? [...some] : null };
      }),
    };
  }
  return { type, devices: [...devices] };
}

/** Whether it says which devices belong to the group. */
export function isComposed({ type, devices, field, value }: Draft): boolean {
  if (type === 'META') return field.trim() !== '' && value.trim() !== '';
  return type === 'NOT IN' || devices.size > 0;
}

/** The contract's schema, of a group as the form holds it. */
export const typedGroup = z
  .custom<Draft>()
  .transform(
    (draft): z.input<typeof newDeviceGroup> => ({ name: draft.name, composition: compositionOf(draft) }),
  )
  .pipe(newDeviceGroup);
