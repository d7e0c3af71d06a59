import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { BEHAVIOURS, parseBehaviour } from './controls/behaviours.ts';
import { PlantControls } from './controls/plant-controls.ts';
import { Plant } from './plants/plant.ts';
import { findPlant, PLANTS } from './plants/plants.ts';
import { PlantServer } from './sunspec/modbus-server.ts';

const USAGE = `usage: main.ts serve --plant NAME --port PORT [--plant NAME --port PORT ...] [--host ADDRESS] [--start TIME]
       [--writable FOLDER] [--behaviour PLANT/UNIT=NAME ...]
plants: ${PLANTS.map((plant) => plant.slug).join(', ')}
behaviours: ${Object.keys(BEHAVIOURS).join(', ')}`;

/**
 * Serves plants until the process is told to stop. Prints `<plant> <port>` for each as it begins to answer.
 * Their clocks show the present, or run on from `start`. With a folder for what is written to them they take writes.
 */
async function serve(
  plants: string[],
  ports: string[],
  host: string,
  start: string | undefined,
  writable: string | undefined,
  behaviours: string[],
): Promise<void> {
  if (plants.length === 0 || plants.length !== ports.length) throw new Error('each --plant needs one --port');
  const aheadMs = start === undefined ? 0 : Date.parse(start) - Date.now();
  if (Number.isNaN(aheadMs)) throw new Error(`--start: "${start}" is no time such as 2026-06-14T12:00:00Z`);
  const now = () => Date.now() + aheadMs;
  const servers: PlantServer[] = [];
  for (const [index, slug] of plants.entries()) {
    const port = Number(ports[index]);
    if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error(`"${ports[index]}" is no port`);
    const description = findPlant(slug);
    const own = behaviours.filter((text) => text.startsWith(`${slug}/`));
    const options = {
      file: writable === undefined ? null : join(writable, `${slug}.writes.jsonl`),
      behaviours: own.map((text) => parseBehaviour(text.slice(slug.length + 1))),
    };
    const isWritable = writable !== undefined || own.length > 0;
    const plant = new Plant(description, isWritable ? new PlantControls(description, options) : null);
    // Counts the energy of the past now rather than while a master waits for its first answer.
    plant.meter(now());
    const server = new PlantServer(plant, now);
    process.stdout.write(`${slug} ${await server.start(host, port)}\n`);
    servers.push(server);
  }
  const stop = async () => {
    await Promise.all(servers.map((server) => server.stop()));
    process.exit(0);
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      plant: { type: 'string', multiple: true, default: [] },
      port: { type: 'string', multiple: true, default: [] },
      host: { type: 'string', default: '127.0.0.1' },
      start: { type: 'string' },
      writable: { type: 'string' },
      behaviour: { type: 'string', multiple: true, default: [] },
    },
  });
  if (positionals[0] !== 'serve') throw new Error('the command is "serve"');
  await serve(values.plant, values.port, values.host, values.start, values.writable, values.behaviour);
} catch (error) {
  process.stderr.write(`simulator: ${error instanceof Error ? error.message : error}\n${USAGE}\n`);
  process.exitCode = 2;
}
