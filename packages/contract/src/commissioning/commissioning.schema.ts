import { z } from 'zod';
import { issuesOf } from '../http/issues.ts';
import { ONE_LINE } from '../http/one-line.ts';
import { inWorkgroup } from '../workgroups/workgroups.schema.ts';
import { commissioningIssues } from './commissioning.errors.ts';
import { busAddress, machinePlace, machineReading, registerMap } from './machines.schema.ts';

const ownIssue = issuesOf(commissioningIssues);

/** What one person may have under way in a workgroup. */
export const COMMISSIONINGS_LIMIT = 20;

/** From the agent to the plant on the screen, in this order. */
export const COMMISSIONING_STEPS = ['install', 'find', 'read', 'confirm', 'plant', 'done'] as const;
export type CommissioningStep = (typeof COMMISSIONING_STEPS)[number];

/** A machine that was found, and what its values are to be called. */
export const plantMachine = z.object({
  ...machinePlace,
  unit: busAddress,
  /** Its source in the tables. */
  name: z
    .string()
    .trim()
    .max(60)
    .regex(/^[A-Za-z0-9][A-Za-z0-9 _-]*$/, commissioningIssues['issue.machine_name']),
  /** What it said that it is. */
  model: z.string().max(200).default(''),
});
export type PlantMachine = z.output<typeof plantMachine>;

const machines = z
  .array(plantMachine)
  .max(250)
  .superRefine((all, context) => {
    const names = new Set<string>();
    const places = new Set<string>();
    for (const [at, { name, host, port, unit }] of all.entries()) {
      const place = `${host} ${port} ${unit}`;
      if (places.has(place)) context.addIssue(ownIssue([String(at)], 'issue.machine_twice'));
      if (names.has(name.toLowerCase()))
        context.addIssue(ownIssue([String(at), 'name'], 'issue.machine_names'));
      places.add(place);
      names.add(name.toLowerCase());
    }
  });

/** What was decided so far. */
export const commissioningPlan = z.object({
  machines: machines.default([]),
  /** For machines that do not say themselves what their registers mean. */
  registerMap: registerMap.default(''),
  /** How often they are read. */
  intervalS: z.number().int().min(5).max(3600).default(10),
  plantName: z
    .string()
    .trim()
    .max(200)
    .regex(...ONE_LINE)
    .default(''),
  /** Array power of the plant; null where it is not known. */
  peakKWp: z.number().positive().max(10_000_000).nullable().default(null),
});
export type CommissioningPlan = z.output<typeof commissioningPlan>;

/** A plant on its way from a machine without an agent to the screen. Instants are epoch ms. */
export const commissioning = z.object({
  id: z.uuid(),
  device: z.uuid(),
  step: z.enum(COMMISSIONING_STEPS),
  plan: commissioningPlan,
  /** The site in the tree, once it is there. */
  entity: z.string().nullable(),
  createdAt: z.number(),
  changedAt: z.number(),
});
export type Commissioning = z.output<typeof commissioning>;

export const newCommissioning = z.object({ device: z.uuid() });

export const commissioningChange = z.object({
  step: z.enum(COMMISSIONING_STEPS).exclude(['done']),
  plan: commissioningPlan,
});

export const onCommissioning = inWorkgroup.extend({ commissioning: z.uuid() });

/** What the machines of a plan give now; `problems` are the words of the readers about those that gave nothing. */
export const plantPreview = z.object({
  machines: z.array(
    plantMachine.pick({ host: true, port: true, unit: true, name: true }).extend({
      reading: machineReading.nullable(),
    }),
  ),
  problems: z.array(z.string().max(1000)).max(100),
  /** How long reading all of them took, ms. */
  tookMs: z.number(),
});
export type PlantPreview = z.output<typeof plantPreview>;

/** What the parts of the plant are called on its boards. */
export const plantLanguage = z.enum(['en', 'de', 'es']);
