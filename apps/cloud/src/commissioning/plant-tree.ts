import type { plantLanguage } from '@albedo/contract/commissioning/commissioning.schema';
import { type NewEntity, newEntity } from '@albedo/contract/entities/entities.schema';
import type { EntityLabel } from '@albedo/contract/entities/labels';
import type { SourceKind } from '@albedo/contract/field-roles/field-roles';
import type { z } from 'zod';

export type PlantLanguage = z.output<typeof plantLanguage>;

const LABEL_NAMES: Record<
  PlantLanguage,
  Record<'site' | 'inverter' | 'meter' | 'station' | 'battery', string>
> = {
  en: { site: 'Site', inverter: 'Inverter', meter: 'Meter', station: 'Weather station', battery: 'Battery' },
  de: {
    site: 'Anlage',
    inverter: 'Wechselrichter',
    meter: 'Zähler',
    station: 'Wetterstation',
    battery: 'Batterie',
  },
  es: {
    site: 'Planta',
    inverter: 'Inversor',
    meter: 'Contador',
    station: 'Estación meteorológica',
    battery: 'Batería',
  },
};
const COLORS = {
  site: '#3f8f5f',
  inverter: '#b0c748',
  meter: '#2f7fb8',
  station: '#d9822b',
  battery: '#8a63b8',
} as const;
type Label = keyof typeof COLORS;

/** The labels of a plant and its parts. */
export const plantLabels = (language: PlantLanguage): EntityLabel[] =>
  Object.entries(COLORS).map(([id, color]) => ({ id, name: LABEL_NAMES[language][id as Label], color }));

const labelOf = (kind: SourceKind): Label | null => (kind === 'computer' || kind === 'other' ? null : kind);

/** A site, and below it each of its sources with the label of what it is. */
export function plantTree(of: {
  id: string;
  name: string;
  device: string;
  peakKWp: number | null;
  sources: readonly { source: string; kind: SourceKind }[];
}): NewEntity[] {
  const { id, name, device, peakKWp, sources } = of;
  const site = newEntity.parse({
    _id: id,
    name,
    labels: ['site'],
    meta: peakKWp === null ? {} : { kWp: peakKWp },
  });
  const parts = sources.map(({ source, kind }) => {
    const label = labelOf(kind);
    return newEntity.parse({
      name: source,
      parent: id,
      labels: label ? [label] : [],
      signals: { sources: [{ deviceId: device, source }] },
    });
  });
  return [site, ...parts];
}
