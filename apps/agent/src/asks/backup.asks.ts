import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { BACKUP_LIMITS } from '@albedo/contract/device-backups/device-backups.schema';
import { type Backup, backup, missingPlugins, planRestore, readBackup } from '../backup/backup.ts';
import { asItIs, changeAtOnce } from '../changes/at-once.ts';
import type { WayBack } from '../changes/way-back.ts';
import { linkOf, readConfigText } from '../config/config.read.ts';
import { AskError } from '../link/ask-error.ts';
import type { Root } from '../root.ts';
import type { AskHandlers } from './asks.ts';

const pack = promisify(gzip);
const unpack = promisify(gunzip);
/** Base64 takes a third more, and JSON some. */
const UNPACKED_BYTES = 2 * BACKUP_LIMITS.bytes;

/** Backups of this device, and the way back. */
export const backupAsks = (
  root: Root,
  wayBack: Pick<WayBack, 'begin'>,
): Pick<AskHandlers, 'backup.read' | 'backup.restore'> => ({
  'backup.read': async ({ write }) => {
    const read = readBackup(root);
    const bytes = await pack(JSON.stringify(read));
    await write(bytes);
    return { bytes: bytes.length, hash: hashOf(bytes), files: read.files.length };
  },
  'backup.restore': async ({ input: { hash, size }, signal, incoming }) => {
    const parts: Uint8Array[] = [];
    let got = 0;
    for await (const part of incoming) {
      got += part.length;
      if (got > size) break;
      parts.push(part);
    }
    signal.throwIfAborted();
    const bytes = Buffer.concat(parts);
    if (bytes.length !== size || hashOf(bytes) !== hash) {
      throw new AskError('changed', 'What arrived is not what was sent.');
    }
    const restored = await readable(bytes);
    const todo = planRestore(root, restored);
    const paths = [...todo.files.map(({ path }) => path), ...todo.remove];
    const config = todo.files.find(({ path }) => root.at(path) === root.configFile);
    const link = config && linkOf(Buffer.from(config.content, 'base64').toString());
    const isOther = link && link !== linkOf(readConfigText(root.configFile));
    const undo = wayBack.begin({
      ...{ kind: 'restore', name: 'backup', before: asItIs(root, paths), after: todo },
      ...(isOther ? { link } : {}),
    });
    try {
      changeAtOnce(root, todo);
    } catch (error) {
      undo();
      throw error;
    }
    return { files: todo.files.length, missing: missingPlugins(root, restored) };
  },
});

async function readable(bytes: Buffer): Promise<Backup> {
  try {
    const text = (await unpack(bytes, { maxOutputLength: UNPACKED_BYTES })).toString();
    return backup.parse(JSON.parse(text));
  } catch {
    throw new AskError('invalid', 'This is no backup of a device.');
  }
}

const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
