import { execFile } from 'node:child_process';
import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { PluginSpec } from '@albedo/contract/plugins/plugins.schema';
import { specOf } from '../plugins/plugin-spec.ts';
import { letPluginsRead, sandboxOf, shareWithPlugins } from './plugin-sandbox.ts';
import { plainLine, type ServiceKeeper, type ServiceProgram } from './service-keeper.ts';

const run = promisify(execFile);
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
    await shareWithPlugins(this.#logs, spec);
    await letPluginsRead([program.file, ...filesOf(name, program.file)], '640');
    writeFileSync(`${path}.new`, unitText(program, this.#logs, spec), { mode: 0o644 });
    renameSync(`${path}.new`, path);
    await run('systemctl', ['daemon-reload'], RUN);
    await run('systemctl', ['enable', unit], RUN);
    await run('systemctl', ['restart', unit], RUN);
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

/** The unit of a service, which has what every program of its plugin has. */
export const unitText = (
  { plugin, command, file }: ServiceProgram,
  logs: string,
  spec: PluginSpec | null,
): string => `[Unit]
Description=Albedo plugin ${plugin}
After=network.target

[Service]
Type=simple
ExecStart=${command} service ${file}
Restart=always
RestartSec=3
${sandboxOf(plugin, logs, spec).join('\n')}

[Install]
WantedBy=multi-user.target
`;
