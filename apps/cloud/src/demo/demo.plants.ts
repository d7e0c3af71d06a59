/** The devices of the demo: this machine, and three plants that a simulator plays. Positions in degrees. */
export const DEMO_WORKGROUP = { name: 'demo', displayName: 'Demo' } as const;

export interface DemoDevice {
  /** Name of its folder below `<data>/demo/agents/`. */
  slug: string;
  name: string;
  /** Its general information; texts, as people enter them. */
  info: Record<string, string>;
}

export const DEMO_DEVICES: readonly DemoDevice[] = [
  {
    slug: 'this-machine',
    name: 'This machine',
    // Where this machine stands nobody has told.
    info: { Timezone: Intl.DateTimeFormat().resolvedOptions().timeZone },
  },
  {
    slug: 'hilltop',
    name: 'Hilltop',
    info: { Latitude: '40.31', Longitude: '-3.42', Timezone: 'Europe/Madrid' },
  },
  {
    slug: 'riverside',
    name: 'Riverside',
    info: { Latitude: '39.68', Longitude: '-104.91', Timezone: 'America/Denver' },
  },
  {
    slug: 'harbour',
    name: 'Harbour',
    info: { Latitude: '-27.39', Longitude: '153.16', Timezone: 'Australia/Brisbane' },
  },
];
