import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { PRODUCT } from '@albedo/contract/product';
import { AskError } from '../link/ask-error.ts';
import { splitCsv } from '../parsing/csv.ts';
import { installedPlugins, placesOf } from '../plugins/plugin-place.ts';
import type { Root } from '../root.ts';
import { pluginOf, ServiceFiles } from '../services/service-files.ts';

const PLUGIN = 'pv-control';
/** Where its form has schedules and state lie, as a path of an installed agent. */
const FOLDER = `/opt/${PRODUCT}/plugins-config/${PLUGIN}`;

/** Where the control plugin of this device is, and what it works with. */
export interface ControlPlace {
  command: string;
  configFile: string;
  /** Of schedules, of what inverters had before, and of what the plugin says. */
  folder: string;
}

/** Throws AskError where no control plugin is at work on this device. */
export function controlPlace(root: Root): ControlPlace {
  const plugin = installedPlugins(root).find(({ name }) => name === PLUGIN || name === 'pv_control');
  const service = controlServices(root).find(({ isDisabled }) => !isDisabled);
  if (!plugin || !service || !existsSync(service.configFile))
    throw new AskError(
      'unable',
      plugin
        ? 'No service of PV control runs on this device.'
        : 'PV control is not installed on this device.',
      'plugin',
    );
  return { command: join(placesOf(root).commands, plugin.binary), ...service };
}

/** Where schedules lie, be the plugin there or not: what holds can be released whatever has become of it. */
export const controlFolder = (root: Root): string =>
  controlServices(root).toSorted((a, b) => Number(a.isDisabled) - Number(b.isDisabled))[0]?.folder ??
  root.at(FOLDER);

/** What only orders and the plugin itself write, of every folder that it may work with. */
export const orderedPlaces = (root: Root): string[] =>
  [root.at(FOLDER), ...controlServices(root).map(({ folder }) => folder)].flatMap((folder) =>
    ['schedules', 'state.json', 'status.json'].map((name) => join(folder, name)),
  );

/**
 * Throws AskError for a service file, as the cloud wants it, that has the plugin read schedules where anybody could put some
 * over the link.
 */
export function demandOwnFolder(root: Root, text: string): void {
  if (pluginOf(text) !== PLUGIN) return;
  for (const { folder } of rowsOf(root, text))
    if (normalize(folder) !== root.at(FOLDER))
      throw new AskError('refused', `Schedules of PV control lie in ${root.at(FOLDER)} and nowhere else.`);
}

/** As `demandOwnFolder`, for a file that comes to a place where services are. */
export function inspectService(root: Root, path: string, text: string): void {
  const { folder } = new ServiceFiles(root);
  if (existsSync(folder) && path.startsWith(`${realpathSync(folder)}/`)) demandOwnFolder(root, text);
}

const controlServices = (root: Root) =>
  new ServiceFiles(root)
    .list()
    .filter(({ plugin }) => plugin === PLUGIN)
    .flatMap(({ text, isDisabled }) => rowsOf(root, text).map((row) => ({ ...row, isDisabled })));

/** As the plugin reads its rows: schedules lie beside a control.yaml, and else in the folder of its own. */
function rowsOf(root: Root, text: string): { configFile: string; folder: string }[] {
  const [header = [], ...rows] = text
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => splitCsv(line)?.map((cell) => cell.trim()) ?? []);
  const cell = (row: string[], name: string) => row[header.indexOf(name)] ?? '';
  return rows.map((row) => {
    const configFile = cell(row, 'config_file');
    const own = basename(configFile) === 'control.yaml' ? dirname(configFile) : root.at(FOLDER);
    return { configFile, folder: cell(row, 'folder') || own };
  });
}
