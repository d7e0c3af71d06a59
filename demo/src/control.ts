import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { argumentPath } from '@albedo/contract/plugins/plugins.schema';
import { AGENT_LOG_DIRECTORY, PRODUCT } from '@albedo/contract/product';
import type { PlantDescription } from '@albedo/simulator/plants/plants';
import { sourceOf } from './agents.ts';
import { programOf } from './settings.ts';

const PLUGIN = 'pv-control';
const BINARY = `pv_control_${PRODUCT}`;
const SERVICES = `etc/${PRODUCT}/services`;
/** As packages of the repository lie on a device; this one is of no release. */
const PACKAGE = `opt/${PRODUCT}/plugins/${PLUGIN}/0.0.0-00000000`;
const FREQUENCY_S = 5;
/** What an inverter of model 704 goes on with when nobody renews its setpoint. */
const FALLBACK = '30%';

/** Keeps the control of a plant from beginning with its agent: what people look at first comes first. */
export function holdControl(root: string): void {
  const file = join(root, SERVICES, PLUGIN);
  if (existsSync(file)) renameSync(file, heldFile(root));
}

/**
 * Lets the agent of a plant control it: the plugin is installed, its configuration names the inverters where they are now, and
 * the agent takes up its service. What somebody has changed of it, or taken away, stays so.
 */
export function beginControl(root: string, plant: PlantDescription, host: string, port: number): void {
  const isNew = !existsSync(join(root, PACKAGE));
  install(root, plant);
  const config = join(root, argumentPath(PLUGIN, 'config_file'));
  if (isNew) {
    put(config, configOf(plant, host, port));
    put(heldFile(root), serviceOf(root, config));
  }
  moveControl(root, port);
  const held = heldFile(root);
  if (existsSync(held)) renameSync(held, join(root, SERVICES, PLUGIN));
}

/** The inverters have another port; the plugin takes it up while it runs. */
export function moveControl(root: string, port: number): void {
  const config = join(root, argumentPath(PLUGIN, 'config_file'));
  if (!existsSync(config)) return;
  const text = readFileSync(config, 'utf8');
  const moved = text.replace(/^(\s+port:) \d+$/gm, `$1 ${port}`);
  if (moved !== text) put(config, moved);
}

const heldFile = (root: string): string => join(root, SERVICES, `.${PLUGIN}.held`);

function install(root: string, plant: PlantDescription): void {
  const program = join(root, PACKAGE, `${BINARY}.mjs`);
  const source = pathToFileURL(programOf(`plugins/${PLUGIN}`, `${BINARY}.mjs`)).href;
  put(program, `import ${JSON.stringify(source)};\n`);
  // Days of the plant's files begin at the plant's own midnight.
  const start = `TZ=${plant.site.timezone} exec "${process.execPath}" "${program}" "$@"`;
  put(join(root, PACKAGE, 'run'), `#!/bin/sh\n${start}\n`, 0o755);
  const command = join(root, 'usr/local/bin', BINARY);
  mkdirSync(dirname(command), { recursive: true });
  rmSync(command, { force: true });
  symlinkSync(join(root, PACKAGE, 'run'), command);
}

function configOf(plant: PlantDescription, host: string, port: number): string {
  const inverters = Array.from({ length: plant.inverters }, (_, index) =>
    [
      `  - name: ${sourceOf(plant, index + 1)}`,
      `    endpoint: ${host}`,
      `    port: ${port}`,
      `    unit: ${index + 1}`,
      ...(plant.inverter.control.model === 704 ? [`    fallback: ${FALLBACK}`] : []),
    ].join('\n'),
  );
  return `# Who says what the plant may make, the most important first. Schedules of the operator come from the page Controls.
plant: ${plant.slug}
interval: 2000
providers:
  - name: operator
    type: schedule
    stream_interval: 60
    enable_reactive_power: true
inverters:
${inverters.join('\n')}
`;
}

function serviceOf(root: string, config: string): string {
  const values = [PLUGIN, PLUGIN, config, join(root, AGENT_LOG_DIRECTORY), FREQUENCY_S];
  const quoted = values.map((value) => (/[", ]/.test(String(value)) ? `"${value}"` : String(value)));
  return `_plugin,_name,config_file,output_directory,frequency\n${quoted.join(',')}\n`;
}

function put(path: string, text: string, mode = 0o644): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.new`, text, { mode });
  renameSync(`${path}.new`, path);
}
