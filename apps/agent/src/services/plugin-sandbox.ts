import { execFile } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { promisify } from 'node:util';
import type { PluginSpec } from '@albedo/contract/plugins/plugins.schema';
import type { Root } from '../root.ts';

const run = promisify(execFile);
const GROUP = 'albedo-plugins';
/** Where plugins keep what is theirs. */
const PLUGIN_FOLDERS = '/opt/albedo/plugins-config';
const RUN = { timeout: 30_000, maxBuffer: 4 * 1024 * 1024 };

/** Whether systemd runs the plugins of this agent: it has the machine for itself, and systemd is there. */
export const hasSystemd = (root: Root): boolean =>
  root.prefix === '/' && process.getuid?.() === 0 && existsSync('/run/systemd/system');

/**
 * What systemd lets a program of a plugin have: a user that exists while it runs, its logs, and the devices and paths that
 * its spec declares; `null` stands for a plugin that came with the agent. Names of devices and paths hold no white space, so
 * none of them ends the line.
 */
export function sandboxOf(plugin: string, logs: string, spec: PluginSpec | null): string[] {
  const { devices, paths } = spec?.uses ?? {
    devices: ['char-ttyS', 'char-ttyUSB', 'char-ttyACM'],
    paths: [],
  };
  const safe = (list: string[]) => list.filter((one) => /^[\w./@+*:-]+$/.test(one));
  return [
    'DynamicUser=yes',
    `User=albedo-${plugin}`,
    `SupplementaryGroups=${GROUP}${devices.length > 0 ? ' dialout' : ''}`,
    'UMask=0002',
    `RuntimeDirectory=albedo-${plugin}`,
    // A task that ends leaves the folder to the services of the same plugin.
    'RuntimeDirectoryPreserve=yes',
    'ProtectSystem=strict',
    'ProtectHome=yes',
    'PrivateTmp=yes',
    `ReadWritePaths=${[logs, ...safe(paths)].join(' ')}`,
    'DevicePolicy=closed',
    ...safe(devices).map((device) => `DeviceAllow=${device} rw`),
    'NoNewPrivileges=yes',
    'ProtectKernelTunables=yes',
    'ProtectControlGroups=yes',
    'RestrictSUIDSGID=yes',
    'LockPersonality=yes',
    'CapabilityBoundingSet=',
    'MemoryHigh=200M',
  ];
}

/** What plugins have in common is the group that may write captured files and read the files of their activities. */
export async function shareWithPlugins(logs: string, spec: PluginSpec | null): Promise<void> {
  await run('groupadd', ['-f', '-r', GROUP], RUN);
  await shareFolder(logs);
  // A folder of its own that a plugin declares is made for it; others are the machine's, and stay as they are.
  for (const folder of spec?.uses.paths ?? []) {
    if (!folder.startsWith(`${PLUGIN_FOLDERS}/`) || folder.includes('..')) continue;
    mkdirSync(folder, { recursive: true });
    await shareFolder(folder);
  }
}

async function shareFolder(folder: string): Promise<void> {
  await run('chgrp', ['-R', GROUP, folder], RUN);
  await run('chmod', ['-R', 'g+rwXs', folder], RUN);
}

/** Lets plugins read files, and nobody else: they may hold passwords. */
export async function letPluginsRead(files: string[], mode: '640' | '750'): Promise<void> {
  if (files.length === 0) return;
  await run('chgrp', [GROUP, ...files], RUN);
  await run('chmod', [mode, ...files], RUN);
}
