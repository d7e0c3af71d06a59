import { z } from 'zod';
import { day, REPORT_REASONS } from '../energy/energy.schema.ts';
import { plantFinding, plantSummary } from '../plants/plants.schema.ts';

/** Energy and expected energy, kWh, of the times for which both are known: a ratio is made of these. */
const paired = z.object({ energyKWh: z.number(), expectedKWh: z.number() });

/** Energy of a day, next to what its light would give. Energies in kWh. */
export const glanceEnergy = z.object({
  day,
  /** The day is not over. */
  isToday: z.boolean(),
  energyKWh: z.number().nullable(),
  expectedKWh: z.number().nullable(),
  /** Null if there is no ratio. */
  paired: paired.nullable(),
  /** Energy divided by the expected energy; null if there is none, with `reason`. */
  ratio: z.number().nullable(),
  /** Why there is no ratio, or a caveat about it. */
  reason: z.enum(REPORT_REASONS).nullable(),
  /** How many of the inverters with such days are counted. */
  inverters: z.object({ counted: z.number().int(), all: z.number().int() }),
  /** When it was computed, epoch ms. */
  computedAt: z.number().nullable(),
});
export type GlanceEnergy = z.infer<typeof glanceEnergy>;

/** Something that is wrong with a plant. Instants are epoch ms. */
export const glanceCause = z.object({
  /** `string`: a finding `below` that comes from one input. `incident`: only the incident says what it is. */
  kind: z.enum(['string', ...plantFinding.shape.kind.options, 'offline', 'incident']),
  /** Name of the inverter; null for the plant as a whole. */
  source: z.string().nullable(),
  /** The subject of the incident, if there is one. */
  subject: z.string().nullable(),
  since: z.number().nullable(),
  /** Missing part of the expected energy, %; for `string`, of the input. */
  percent: z.number().nullable(),
  /** For `string`: the number of the input. */
  input: z.string().nullable(),
  /** The incident about it. */
  incident: z.uuid().nullable(),
});
export type GlanceCause = z.infer<typeof glanceCause>;

/** What the open incidents of a plant have cost so far. */
export const glanceCost = z.object({
  energyWh: z.number(),
  /** Lost each hour, Wh; null if the loss does not grow. */
  powerW: z.number().nullable(),
  /** One for each currency; empty without a price. */
  money: z.array(z.object({ value: z.number(), currency: z.string() })),
});
export type GlanceCost = z.infer<typeof glanceCost>;

/**
 * How a plant is doing. `under`: less than the light would give, or something is wrong. `silent`: no data arrives. `arriving`: its
 * daily energy is not computed yet. `unknown`: there is nothing to compare it with.
 */
export const GLANCE_STATES = ['silent', 'under', 'well', 'arriving', 'unknown'] as const;

export const plantGlance = z.object({
  device: z.uuid(),
  name: z.string(),
  zone: z.string(),
  state: z.enum(GLANCE_STATES),
  /** Whether it is dark there now. */
  isDark: z.boolean(),
  power: plantSummary.shape.power,
  ratedPowerW: z.number().nullable(),
  /** Of today, or of yesterday while today has too little light; null if neither was computed. */
  energy: glanceEnergy.nullable(),
  /** Of today only, however little that is; null if nothing was computed yet. */
  today: z
    .object({
      energyKWh: z.number().nullable(),
      expectedKWh: z.number().nullable(),
      /** Null while there is too little light for a ratio. */
      paired: paired.nullable(),
    })
    .nullable(),
  /** Worst first. */
  causes: z.array(glanceCause),
  /** Null if nothing costs energy, or nobody knows how much. */
  cost: glanceCost.nullable(),
});
export type PlantGlance = z.infer<typeof plantGlance>;

/** The plants of a workgroup by how they are doing, worst first. */
export const glance = z.object({
  at: z.number(),
  plants: z.array(plantGlance),
  /** When the last incident ended, epoch ms; null while one is open, and if there never was one. */
  calmSince: z.number().nullable(),
});
export type Glance = z.infer<typeof glance>;
