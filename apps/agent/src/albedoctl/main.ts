/** Looks after what the agent runs on this machine: serial lines, services, plugins. */
import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { SerialLine } from '@albedo/contract/plugins/plugins.schema';
import { messageOf } from '../log.ts';
import { installedPlugins } from '../plugins/plugin-place.ts';
import { type Root, rootAt } from '../root.ts';
import { ServiceFiles } from '../services/service-files.ts';
import { VERSION } from '../version.ts';

const USAGE = `albedoctl ${VERSION}

  albedoctl serial      the serial lines of this machine
  albedoctl services    the services of plugins: name, plugin, in use or disabled
  albedoctl plugins     the plugins that are installed
  --root DIR    where everything lies (/)      --json    for programs
`;

/** An agent that does not have the machine for itself may have devices of its own. */
const devicesOf = (root: Root): string => (existsSync(root.at('/dev')) ? root.at('/dev') : '/dev');

function serialLines(dev: string): SerialLine[] {
  const names = readdirSync(dev).filter((name) => /^tty(?:S|USB|ACM|AMA|O|mxc|LP)\d+$/.test(name));
  const folder = join(dev, 'serial/by-id');
  const ids = new Map(
    (existsSync(folder) ? readdirSync(folder) : []).map((name) => [
      realpathSync(join(folder, name)),
      join(folder, name),
    ]),
  );
  return names.toSorted().map((name) => ({ path: join(dev, name), id: ids.get(join(dev, name)) ?? null }));
}

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      root: { type: 'string', default: process.env.ALBEDO_ROOT ?? '/' },
      json: { type: 'boolean', default: false },
      version: { type: 'boolean', short: 'v', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const root = rootAt(resolve(values.root));
  const show = <T>(list: T[], line: (one: T) => string) => {
    const text = values.json ? JSON.stringify(list) : list.map(line).join('\n');
    if (text !== '') process.stdout.write(`${text}\n`);
  };
  const [verb] = positionals;
  if (values.version) process.stdout.write(`${VERSION}\n`);
  else if (values.help) process.stdout.write(USAGE);
  else if (verb === 'serial')
    show(serialLines(devicesOf(root)), ({ path, id }) => `${path}${id ? `  ${id}` : ''}`);
  else if (verb === 'plugins') {
    show(installedPlugins(root), ({ name, version }) => `${name.padEnd(24)}${version ?? 'with the agent'}`);
  } else if (verb === 'services') {
    const list = new ServiceFiles(root)
      .list()
      .map(({ name, plugin, isDisabled }) => ({ name, plugin, isDisabled }));
    show(
      list,
      (one) => `${one.name.padEnd(24)}${one.plugin.padEnd(24)}${one.isDisabled ? 'disabled' : 'in use'}`,
    );
  } else {
    process.stderr.write(USAGE);
    process.exitCode = 2;
  }
} catch (error) {
  process.stderr.write(`albedoctl: ${messageOf(error)}\n`);
  process.exitCode = 1;
}
