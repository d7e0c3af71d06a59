import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { PluginSpec } from '@albedo/contract/plugins/plugins.schema';
import { specOf } from '../plugins/plugin-spec.ts';
import { plainLine, type ServiceKeeper, type ServiceProgram } from './service-keeper.ts';

const run = promisify(execFile);
const GROUP = 'albedo-plugins';
/** Where plugins keep what is theirs. */
const PLUGIN_FOLDERS = '/opt/albedo/plugins-config';
const UNITS = '/lib/systemd/system';
const RUN = { timeout: 30_000, maxBuffer: 4 * 1024 * 1024 };

/** Keeps services as units of systemd, each for its plugin's own user. */
export class SystemdKeeper implements ServiceKeeper {
  readonly #units: string;
  readonly #logs: string;

  constructor(logs: string, units = UNITS) {
    this.#logs = logs;
    this.#units = units;
  }

  async activate(name: string, program: ServiceProgram): Promise<void> {
    const unit = unitOf(name);
    const path = join(this.#units, unit);
    const spec = specOf(program.command);
    await this.#share([program.file, ...filesOf(name, program.file)]);
    for (const folder of spec?.uses.paths ?? []) await this.#shareFolder(folder);
    writeFileSync(`${path}.new`, unitText(program, this.#logs, spec), { mode: 0o644 });
    renameSync(`${path}.new`, path);
    await run('systemctl', ['daemon-reload'], RUN);
    await run('systemctl', ['enable', unit], RUN);
    await run('systemctl', ['restart', unit], RUN);
  }

  /** What plugins have in common is the group that may write captured files and read service files. */
  async #share(files: string[]): Promise<void> {
    await run('groupadd', ['-f', '-r', GROUP], RUN);
    await run('chgrp', ['-R', GROUP, this.#logs, ...files], RUN);
    await run('chmod', ['-R', 'g+rwXs', this.#logs], RUN);
    await run('chmod', ['640', ...files], RUN);
  }

  /** A folder of its own that a plugin declares is made for it; others are the machine's, and stay as they are. */
  async #shareFolder(folder: string): Promise<void> {
    if (!folder.startsWith(`${PLUGIN_FOLDERS}/`) || folder.includes('..')) return;
    mkdirSync(folder, { recursive: true });
    await run('chgrp', ['-R', GROUP, folder], RUN);
    await run('chmod', ['-R', 'g+rwXs', folder], RUN);
  }

  async deactivate(name: string): Promise<void> {
    const path = join(this.#units, unitOf(name));
    if (!existsSync(path)) return;
    await run('systemctl', ['disable', '--now', unitOf(name)], RUN);
    rmSync(path, { force: true });
    await run('systemctl', ['daemon-reload'], RUN);
  }

  async pause(name: string): Promise<void> {
    if (existsSync(join(this.#units, unitOf(name)))) await run('systemctl', ['stop', unitOf(name)], RUN);
  }

  async resume(name: string): Promise<void> {
    await run('systemctl', ['start', unitOf(name)], RUN);
  }

  async isRunning(name: string): Promise<boolean> {
    return run('systemctl', ['is-active', '--quiet', unitOf(name)], RUN).then(
      () => true,
      () => false,
    );
  }

  starts(): number {
    return 0;
  }

  async lines(name: string, count: number): Promise<string[]> {
    const args = ['-u', unitOf(name), '-n', String(count), '-o', 'short-iso', '--no-pager', '-q'];
    const { stdout } = await run('journalctl', args, RUN);
    return stdout.split('\n').filter(Boolean).map(plainLine);
  }

  /** Units go on without the agent. */
  async stop(): Promise<void> {}
}

/** Files that its arguments name, such as a configuration. */
function filesOf(name: string, serviceFile: string): string[] {
  const folder = join(dirname(serviceFile), 'files');
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names.filter((file) => file.startsWith(`${name}.`)).map((file) => join(folder, file));
}

const unitOf = (name: string): string => `${name}-plugin.service`;

/**
 * The unit of a service. Its user exists while it runs, and reaches its logs, its service file, and the devices and paths
 * that its spec declares; names of devices and paths hold no white space, so none of them ends the line.
 */
export function unitText(
  { plugin, command, file }: ServiceProgram,
  logs: string,
  spec: PluginSpec | null,
): string {
  const { devices, paths } = spec?.uses ?? {
    devices: ['char-ttyS', 'char-ttyUSB', 'char-ttyACM'],
    paths: [],
  };
  const safe = (list: string[]) => list.filter((one) => /^[\w./@+*:-]+$/.test(one));
  return `[Unit]
Description=Albedo plugin ${plugin}
After=network.target

[Service]
Type=simple
ExecStart=${command} service ${file}
Restart=always
RestartSec=3
DynamicUser=yes
User=albedo-${plugin}
SupplementaryGroups=${GROUP}${devices.length > 0 ? ' dialout' : ''}
UMask=0002
RuntimeDirectory=albedo-${plugin}
ProtectSystem=strict
ProtectHome=yes
PrivateTmp=yes
ReadWritePaths=${[logs, ...safe(paths)].join(' ')}
DevicePolicy=closed
${safe(devices)
  .map((device) => `DeviceAllow=${device} rw\n`)
  .join('')}NoNewPrivileges=yes
ProtectKernelTunables=yes
ProtectControlGroups=yes
RestrictSUIDSGID=yes
LockPersonality=yes
CapabilityBoundingSet=
MemoryHigh=200M

[Install]
WantedBy=multi-user.target
`;
}
