import { parseArgs } from 'node:util';
import { Plant } from './plants/plant.ts';
import { findPlant, PLANTS } from './plants/plants.ts';
import { PlantServer } from './sunspec/modbus-server.ts';

const USAGE = `usage: main.ts serve --plant NAME --port PORT [--plant NAME --port PORT ...] [--host ADDRESS] [--start TIME]
plants: ${PLANTS.map((plant) => plant.slug).join(', ')}`;

/**
 * Serves plants until the process is told to stop. Prints `<plant> <port>` for each as it begins to answer.
 * Their clocks show the present, or run on from `start`.
 */
async function serve(
  plants: string[],
  ports: string[],
  host: string,
  start: string | undefined,
): Promise<void> {
  if (plants.length === 0 || plants.length !== ports.length) throw new Error('each --plant needs one --port');
  const aheadMs = start === undefined ? 0 : Date.parse(start) - Date.now();
  if (Number.isNaN(aheadMs)) throw new Error(`--start: "${start}" is no time such as 2026-06-14T12:00:00Z`);
  const now = () => Date.now() + aheadMs;
  const servers: PlantServer[] = [];
  for (const [index, slug] of plants.entries()) {
    const port = Number(ports[index]);
    if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error(`"${ports[index]}" is no port`);
    const plant = new Plant(findPlant(slug));
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
    },
  });
  if (positionals[0] !== 'serve') throw new Error('the command is "serve"');
  await serve(values.plant, values.port, values.host, values.start);
} catch (error) {
  process.stderr.write(`simulator: ${error instanceof Error ? error.message : error}\n${USAGE}\n`);
  process.exitCode = 2;
}
