import { z } from 'zod';
import { FIELD_ROLE_NAMES, SOURCE_KINDS } from '../field-roles/field-roles.ts';

/** Something that is wrong with a plant, computed from its data. Instants are epoch ms. */
export const plantFinding = z.object({
  /**
   * `below`: less than on good days under the same light, for days. `standing`: no power in good light. `fault`: the
   * inverter says so. `silent`: no values.
   */
  kind: z.enum(['below', 'standing', 'fault', 'silent']),
  /** Name of the inverter; null for the plant as a whole. */
  source: z.string().nullable(),
  /** The day on which `below` began, the last value of what is silent; null where it is not known. */
  since: z.number().nullable(),
  /** Part of the expected that is missing, %, of `below`. */
  percent: z.number().nullable(),
  /** What `below` is measured by. */
  by: z.enum(['irradiance', 'peers']).nullable(),
  /** For `below`: the number of the one input that is the reason, and which part of its energy is missing, %. */
  input: z.object({ name: z.string(), percent: z.number() }).optional(),
});
export type PlantFinding = z.infer<typeof plantFinding>;

const reading = z.object({
  value: z.number().nullable(),
  /** When it was measured. */
  at: z.number().nullable(),
  /** Why there is no number. */
  missing: z.enum(['noSource', 'silent']).nullable(),
});

/** The plant's day in the plant's zone; `to` is its end, which may be still to come. */
const day = { zone: z.string(), day: z.object({ from: z.number(), to: z.number() }) };

/** `counter`: difference of an energy counter. `own`: what the inverter itself counted today. `power`: integral of power. */
export const energySource = z.enum(['counter', 'own', 'power']);
export type EnergySource = z.infer<typeof energySource>;

export const plantSummary = z.object({
  device: z.uuid(),
  name: z.string(),
  ...day,
  /** Some sources of the device are hidden from the reader, so that figures are of the visible part. */
  isPartial: z.boolean(),
  ratedPowerW: z.number().nullable(),
  power: reading,
  /** Import is positive. */
  grid: reading,
  poa: reading,
  inverters: z.object({
    total: z.number(),
    producing: z.number(),
    /** `standing` or in `fault`. */
    troubled: z.number(),
    silent: z.number(),
  }),
  energyTodayWh: z.number().nullable(),
  /** What counters counted beyond what the rating allows in its time (kWp × hours × 1.2), Wh: it is no part of the energy. */
  doubtedWh: z.number(),
  /** Mean power of each quarter of an hour since the beginning of the day, W. Gaps: null. */
  powersW: z.array(z.number().nullable()),
  findings: z.array(plantFinding),
});
export type PlantSummary = z.infer<typeof plantSummary>;

export const plantList = z.object({ at: z.number(), plants: z.array(plantSummary) });
export type PlantList = z.infer<typeof plantList>;

export const plantSource = z.object({
  table: z.string(),
  source: z.string(),
  kind: z.enum(SOURCE_KINDS),
  /** Where the value of each role stands: `values[field] * factor + offset` of the newest values. */
  places: z.partialRecord(
    z.enum(FIELD_ROLE_NAMES),
    z.object({ field: z.string(), factor: z.number(), offset: z.number() }),
  ),
  energyTodayWh: z.number().nullable(),
  energyFrom: energySource.nullable(),
  /** As of the plant. */
  doubtedWh: z.number(),
});
export type PlantSource = z.infer<typeof plantSource>;

/**
 * Today of a plant, oldest first. Shapes: all lists are as long as `times` (epoch ms, the beginnings of their steps).
 * Units: W, W/m², means of the step. Gaps: null.
 */
export const plantCurve = z.object({
  stepMs: z.number(),
  times: z.array(z.number()),
  powerW: z.array(z.number().nullable()),
  poaWm2: z.array(z.number().nullable()),
  gridW: z.array(z.number().nullable()),
  /** Under a sky without clouds, until the end of the day; null without a position or a power to go by. */
  clearSkyW: z.array(z.number()).nullable(),
});
export type PlantCurve = z.infer<typeof plantCurve>;

export const plantDetail = z.object({
  kind: z.enum(['plant', 'machine', 'computer']),
  ...day,
  isPartial: z.boolean(),
  ratedPowerW: z.number().nullable(),
  peakPowerW: z.number().nullable(),
  sources: z.array(plantSource),
  today: z.object({
    energyWh: z.number().nullable(),
    /** What counters counted beyond what the rating allows in its time (kWp × hours × 1.2), Wh: it is no part of the energy. */
    doubtedWh: z.number(),
    importedWh: z.number().nullable(),
    exportedWh: z.number().nullable(),
    /** Irradiation in the plane, Wh/m². */
    irradiationWhM2: z.number().nullable(),
  }),
  /** Null for what is no plant. */
  curve: plantCurve.nullable(),
  /** Why there is no clear sky to compare with: what to write into the general information. */
  clearSkyNeeds: z.array(z.enum(['position', 'power'])),
  findings: z.array(plantFinding),
});
export type PlantDetail = z.infer<typeof plantDetail>;
