import { z } from 'zod';
import { ADDON_IDS, type AddonId } from '../access/addons.ts';
import { ONE_LINE } from '../http/one-line.ts';
import { inWorkgroup } from './workgroups.schema.ts';

/** What the provider can enable for a workgroup. Source: specification 1, section 6. */
export const ADDONS = {
  'daily-energy': {
    name: 'Daily energy',
    description: 'Computes the energy of each day per device and source, and opens the energy reports.',
  },
  'solar-reporting': {
    name: 'Solar reporting',
    description: 'Performance ratio and inverter performance of solar sites.',
  },
  'iec-perf-ratio': {
    name: 'IEC performance ratio',
    description: 'Performance ratio as IEC 61724 defines it, with its configuration.',
  },
  calculations: {
    name: 'Calculations',
    description: 'KPIs and calculated fields out of what devices measure.',
  },
  machines: { name: 'Machines', description: 'Machines as entities, with what they are made of.' },
  'machine-plugins': {
    name: 'Machine plugins',
    description: 'Plugins that may be installed on devices: whole groups by label, or single ones.',
  },
  availability: {
    name: 'Availability',
    description: 'Availability of machines by IEC 61400-26, with its configuration.',
  },
  'mppt-extract': {
    name: 'MPPT extract',
    description: 'A monthly extract of what each MPP tracker of the inverters measured.',
  },
  entities: { name: 'Entities', description: 'Sites and assets as a tree, with labels and dashboards.' },
  schedules: { name: 'Schedules', description: 'Setpoint schedules for devices, shared or of one device.' },
  ced: { name: 'Cloud devices', description: 'Devices that run in the cloud, and their NAT gateway.' },
  'access-control': {
    name: 'Access control',
    description: 'Rules that say who may use which dashboard and which device command.',
  },
  'restricted-readonly': {
    name: 'Restricted read-only',
    description: 'Read-only users see Devices and Analysis and nothing else.',
  },
} as const satisfies Record<AddonId, { name: string; description: string }>;

export const addonId = z.enum(ADDON_IDS);

const names = z
  .array(
    z
      .string()
      .trim()
      .min(1)
      .max(80)
      .regex(...ONE_LINE),
  )
  .max(200)
  .refine((list) => new Set(list).size === list.length, 'Each entry can appear only once.');

/** Which plugins the addon `machine-plugins` allows. */
export const machinePluginsSettings = z.object({ labels: names.default([]), plugins: names.default([]) });
export type MachinePluginsSettings = z.infer<typeof machinePluginsSettings>;

export const addonSettings = z.record(z.string(), z.unknown());
export const newAddon = z.object({ id: addonId, settings: addonSettings.default({}) });
export const onAddon = inWorkgroup.extend({ addon: addonId });

export const availableAddon = z.object({
  id: addonId,
  name: z.string(),
  description: z.string(),
  isEnabled: z.boolean(),
  settings: addonSettings,
});
export type AvailableAddon = z.infer<typeof availableAddon>;
