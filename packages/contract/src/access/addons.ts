/** Ids of what the provider can enable for a workgroup. Source: specification 1, section 6. */
export const ADDON_IDS = [
  'daily-energy',
  'solar-reporting',
  'iec-perf-ratio',
  'calculations',
  'machines',
  'machine-plugins',
  'availability',
  'mppt-extract',
  'entities',
  'schedules',
  'ced',
  'access-control',
  'restricted-readonly',
] as const;

export type AddonId = (typeof ADDON_IDS)[number];
