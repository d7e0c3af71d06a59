import { z } from 'zod';
import { day, REPORT_REASONS } from '../energy/energy.schema.ts';
import { plantFinding, plantSummary } from '../plants/plants.schema.ts';

/** Energy beside what the light would give, kWh, of the times of which both are known: what a ratio is made of. */
const paired = z.object({ energyKWh: z.number(), expectedKWh: z.number() });

/** Energy of a day beside what its light would give. Energies in kWh. */
export const glanceEnergy = z.object({
  day,
  /** The day is not over. */
  isToday: z.boolean(),
  energyKWh: z.number().nullable(),
  expectedKWh: z.number().nullable(),
  /** Null where there is no ratio. */
  paired: paired.nullable(),
  /** Energy as a part of the expected, 1 for as much; null with the reason why there is none. */
  ratio: z.number().nullable(),
  /** Why there is no ratio, or what it must not be taken for. */
  reason: z.enum(REPORT_REASONS).nullable(),
  /** Of all inverters that have such days: those that are in it. */
  inverters: z.object({ counted: z.number().int(), all: z.number().int() }),
  /** When it was computed, epoch ms. */
  computedAt: z.number().nullable(),
});
export type GlanceEnergy = z.infer<typeof glanceEnergy>;

/** What is wrong with a plant. Instants are epoch ms. */
export const glanceCause = z.object({
  /** `string`: a finding `below` of which one input is the reason. `incident`: the incident alone says what it is. */
  kind: z.enum(['string', ...plantFinding.shape.kind.options, 'offline', 'incident']),
  /** Name of the inverter; null for the plant as a whole. */
  source: z.string().nullable(),
  /** What people call it, where an incident says so. */
  subject: z.string().nullable(),
  since: z.number().nullable(),
  /** Part of the expected that is missing, %; of `string` that of the input. */
  percent: z.number().nullable(),
  /** Of `string`: the number of the input that lacks. */
  input: z.string().nullable(),
  /** The incident that tells of it. */
  incident: z.uuid().nullable(),
});
export type GlanceCause = z.infer<typeof glanceCause>;

/** What open incidents of a plant cost by now. */
export const glanceCost = z.object({
  energyWh: z.number(),
  /** Lost each hour, Wh; null where it stands still. */
  powerW: z.number().nullable(),
  /** One for each currency; empty without a price. */
  money: z.array(z.object({ value: z.number(), currency: z.string() })),
});
export type GlanceCost = z.infer<typeof glanceCost>;

/**
 * How a plant does. `under`: less than the light would give, or something is wrong. `silent`: nothing arrives. `arriving`: its
 * days are not counted yet. `unknown`: there is nothing to hold it against.
 */
export const GLANCE_STATES = ['silent', 'under', 'well', 'arriving', 'unknown'] as const;
export type GlanceState = (typeof GLANCE_STATES)[number];

export const plantGlance = z.object({
  device: z.uuid(),
  name: z.string(),
  zone: z.string(),
  state: z.enum(GLANCE_STATES),
  /** No light falls on it now. */
  isDark: z.boolean(),
  power: plantSummary.shape.power,
  ratedPowerW: z.number().nullable(),
  /** Of today, or of the day before while today has too little light; null where neither was counted. */
  energy: glanceEnergy.nullable(),
  /** Of today alone, however little that is; null where nothing of it was counted. */
  today: z
    .object({
      energyKWh: z.number().nullable(),
      expectedKWh: z.number().nullable(),
      /** Null while it has too little light for a ratio. */
      paired: paired.nullable(),
    })
    .nullable(),
  /** The gravest first. */
  causes: z.array(glanceCause),
  /** Null where nothing is wrong that costs energy, or where nobody knows how much. */
  cost: glanceCost.nullable(),
});
export type PlantGlance = z.infer<typeof plantGlance>;

/** The plants of a workgroup by how they do, the worst first. */
export const glance = z.object({
  at: z.number(),
  plants: z.array(plantGlance),
  /** When the last incident that was told ended, epoch ms; null while one is open, and where there never was one. */
  calmSince: z.number().nullable(),
});
export type Glance = z.infer<typeof glance>;
