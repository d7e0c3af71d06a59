/** The devices of the demo: this machine, and three plants that a simulator plays. Positions in degrees. */

export interface DemoDevice {
  /** Name of its folder below `<data>/demo/agents/`. */
  slug: string;
  name: string;
  /** The demo is filling in its history. */
  hasPast: boolean;
  /** Its general information; texts, as people enter them. */
  info: Record<string, string>;
}

/** Agents of plants run on the machine of the demo, and report only what they themselves use of it. */
const SHARED = { 'Runs on': 'This machine; processor and memory are those of its own agent' };

export const DEMO_DEVICES: readonly DemoDevice[] = [
  {
    slug: 'this-machine',
    name: 'This machine',
    hasPast: false,
    // Where this machine stands nobody has told.
    info: { Timezone: Intl.DateTimeFormat().resolvedOptions().timeZone },
  },
  {
    slug: 'hilltop',
    name: 'Hilltop',
    hasPast: true,
    info: {
      Latitude: '-33.93',
      Longitude: '18.86',
      Timezone: 'Africa/Johannesburg',
      'Rated power': '50 kW',
      'Peak power': '61.6 kWp',
      Azimuth: '0, 340',
      Slope: '28',
      ...SHARED,
      'Energy price': '0.11 EUR',
    },
  },
  {
    slug: 'riverside',
    name: 'Riverside',
    hasPast: true,
    info: {
      Latitude: '39.68',
      Longitude: '-104.91',
      Timezone: 'America/Denver',
      'Rated power': '300 kW',
      'Peak power': '378 kWp',
      Azimuth: '110, 290',
      Slope: '12',
      ...SHARED,
      'Energy price': '0.09 EUR',
    },
  },
  {
    slug: 'harbour',
    name: 'Harbour',
    hasPast: true,
    info: {
      Latitude: '-12.46',
      Longitude: '130.85',
      Timezone: 'Australia/Darwin',
      'Rated power': '1200 kW',
      'Peak power': '1555 kWp',
      Azimuth: '20, 340, 0',
      Slope: '10, 10, 5',
      ...SHARED,
      'Energy price': '0.10 EUR',
    },
  },
];
