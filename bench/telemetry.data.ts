import type { TelemetryBlock } from '@albedo/cloud/telemetry/telemetry.blocks';
import type { BatchField, BatchRow } from '@albedo/contract/link/link.messages';

/** The 15 values of a three-phase inverter as a SunSpec plugin reads them: decimals scaled by the device. */
export const INVERTER_FIELDS: BatchField[] = [
  { name: 'AC Power', type: 'decimal', units: 'W' },
  { name: 'AC Voltage A', type: 'decimal', units: 'V' },
  { name: 'AC Voltage B', type: 'decimal', units: 'V' },
  { name: 'AC Voltage C', type: 'decimal', units: 'V' },
  { name: 'AC Current A', type: 'decimal', units: 'A' },
  { name: 'AC Current B', type: 'decimal', units: 'A' },
  { name: 'AC Current C', type: 'decimal', units: 'A' },
  { name: 'Frequency', type: 'decimal', units: 'Hz' },
  { name: 'DC Voltage', type: 'decimal', units: 'V' },
  { name: 'DC Current', type: 'decimal', units: 'A' },
  { name: 'DC Power', type: 'decimal', units: 'W' },
  { name: 'Lifetime Energy', type: 'integer', units: 'Wh' },
  { name: 'Cabinet Temperature', type: 'decimal', units: '°C' },
  { name: 'Operating State', type: 'integer' },
  { name: 'Event Bits', type: 'integer' },
];

export const POINTS_AN_EVENT = INVERTER_FIELDS.length;

/** Something like a normal distribution. */
const noise = () => Math.random() + Math.random() + Math.random() + Math.random() - 2;
const rounded = (value: number, digits: number) => {
  const scale = 10 ** digits;
  return Math.round(value * scale) / scale;
};

/** One 50 kW inverter: sun by the time of day, passing clouds, grid noise, clipping, a counter of energy. */
export class Inverter {
  #cloud = 0.8;
  #energyWh = Math.floor(Math.random() * 5e8);

  read(at: number, stepMs: number): number[] {
    const hour = (at / 3_600_000) % 24;
    const sun = Math.max(0, Math.sin(((hour - 6) / 12) * Math.PI));
    this.#cloud = Math.min(1, Math.max(0.15, this.#cloud + 0.08 * noise()));
    const acW = Math.min(50_000, Math.round(sun * this.#cloud * 54_000 * (1 + 0.01 * noise())));
    const isOn = acW > 50;
    const volts = [0, 1, 2].map(() => rounded(230 + 2 * noise(), 1));
    const amps = volts.map((volt) => (isOn ? rounded(acW / 3 / volt, 2) : 0));
    const dcV = isOn ? rounded(700 + 20 * noise(), 1) : 0;
    const dcW = isOn ? Math.round(acW / 0.975) : 0;
    this.#energyWh += Math.round((acW * stepMs) / 3_600_000);
    return [
      isOn ? acW : 0,
      ...volts,
      ...amps,
      rounded(50 + 0.03 * noise(), 2),
      dcV,
      isOn ? rounded(dcW / dcV, 2) : 0,
      dcW,
      this.#energyWh,
      rounded(20 + 30 * sun * this.#cloud + noise(), 1),
      isOn ? 4 : 2,
      0,
    ];
  }
}

export const deviceId = (i: number): string => `${String(i).padStart(8, '0')}-9dc0-41d1-b245-5ffdce74fad2`;

export const inverterBlock = (device: number, source: number, rows: BatchRow[]): TelemetryBlock => ({
  workgroup: 'bench',
  device: deviceId(device),
  stream: { table: 'solar', source: `inv-${String(source).padStart(2, '0')}`, fields: INVERTER_FIELDS },
  rows,
});
