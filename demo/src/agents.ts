import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AGENT_LOG_DIRECTORY, PRODUCT } from '@albedo/contract/product';
import { METER_UNIT, type PlantDescription, STATION_UNIT } from '@albedo/simulator/plants/plants';

/** Second folder of captured files, filled with the past. */
export const HISTORY_DIRECTORY = `/opt/${PRODUCT}/history`;
const SERVICE_FREQUENCY_S = 5;

export const AGENT_SLUGS = ['this-machine', 'hilltop', 'riverside', 'harbour'] as const;

export const agentRoot = (dataDir: string, slug: string): string => join(dataDir, 'demo/agents', slug);

/** Makes the agent of a plant follow its history too. The rest of the file, which the cloud wrote, stays as it is. */
export function followHistory(root: string): void {
  const file = join(root, `etc/${PRODUCT}/${PRODUCT}.yaml`);
  const text = readFileSync(file, 'utf8');
  if (/^dynamic_tail:/m.test(text)) return;
  const folders = [AGENT_LOG_DIRECTORY.replace(/\/$/, ''), HISTORY_DIRECTORY];
  const entries = folders.map((folder) => `  - directory: ${folder}\n    filename: latest.csv\n`).join('');
  writeFileSync(
    file,
    `${text.trimEnd()}\n\n# Live data of the plugins, and the past year of the demo.\ndynamic_tail:\n${entries}`,
  );
}

/** Makes the agent of a plant report only what it uses itself: one agent reports the whole machine. */
export function shareMachine(root: string): void {
  const file = join(root, `etc/${PRODUCT}/${PRODUCT}.yaml`);
  const text = readFileSync(file, 'utf8');
  if (/^machine:/m.test(text)) return;
  writeFileSync(file, `${text.trimEnd()}\n\n# Several agents share this machine.\nmachine: own\n`);
}

/** Name of a device's source in the tables, by unit id. */
export function sourceOf(plant: PlantDescription, unit: number): string {
  if (unit === METER_UNIT) return 'grid';
  if (unit === STATION_UNIT) return 'station';
  if (unit < 1 || unit > plant.inverters) throw new Error(`${plant.slug} has no unit ${unit}`);
  return `inv-${String(unit).padStart(2, '0')}`;
}

export const unitsOf = (plant: PlantDescription): number[] => [
  ...Array.from({ length: plant.inverters }, (_, index) => index + 1),
  METER_UNIT,
  STATION_UNIT,
];

/** Writes the service file and the source map of a plant's plugin; gives the path of the service file. */
export function writeService(root: string, plant: PlantDescription, host: string, port: number): string {
  const folder = join(root, `etc/${PRODUCT}/services`);
  const logs = join(root, AGENT_LOG_DIRECTORY);
  mkdirSync(folder, { recursive: true });
  mkdirSync(logs, { recursive: true });
  const map = join(root, `etc/${PRODUCT}/source-map`);
  const rules = unitsOf(plant).map(
    (unit) => `${host.replaceAll('.', '\\.')}/[0-9]+/${unit}$,${sourceOf(plant, unit)}`,
  );
  writeFileSync(map, `${rules.join('\n')}\n`);
  const units = `1-${plant.inverters},${METER_UNIT},${STATION_UNIT}`;
  const file = join(folder, plant.slug);
  // Without the column `_plugin`: the demo keeps it running itself, and the agent leaves it alone.
  const cells = [
    '_name',
    'endpoint',
    'bus_addresses',
    'output_directory',
    'port',
    'delay',
    'source_map',
    'frequency',
  ];
  const values = [plant.slug, host, units, logs, port, 0, map, SERVICE_FREQUENCY_S];
  const quoted = values.map((value) => (/[", ]/.test(String(value)) ? `"${value}"` : String(value)));
  writeFileSync(file, `${cells.join(',')}\n${quoted.join(',')}\n`);
  return file;
}
