import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { makeAuthority } from '@albedo/pki/authority';
import { pairText } from '@albedo/pki/key-files';
import { CommandError, type Say } from '../command-line/command.ts';
import type { Config } from '../config/config.ts';
import { openKeyRing } from './key-source.ts';
import { withShared } from './keys.command.ts';
import { makeSealKey } from './sealed.ts';
import { write } from './secrets.ts';
import { makeForgeryKey, makeSigningKey, withNewKey } from './signing-keys.ts';
import { makeSsoPair, SSO_PAIRS, withNewPair } from './sso-pairs.ts';

interface Renewal {
  /** By name of the file; what it holds afterwards, with or without what the key before has done. */
  files: Record<string, (text: string, isAtOnce: boolean) => Promise<string> | string>;
  said: string;
  saidAtOnce: string;
  /** There is no way that spares what the key before has made. */
  isAlwaysAtOnce?: boolean;
}

/** Each key of an installation, by the word that names it after `albedo keys`. */
export const RENEWALS: ReadonlyMap<string, Renewal> = new Map<string, Renewal>([
  [
    'sessions',
    {
      files: { 'secrets/session.pem': withNewKey },
      said: 'Sessions and API tokens have another key from the next start of the server on. What the one before signed is still taken.',
      saidAtOnce:
        'Sessions and API tokens have another key. Start the server again: everybody signs in anew, and API tokens have to be made anew.',
    },
  ],
  [
    'forgery',
    {
      files: { 'secrets/csrf': makeForgeryKey },
      said: 'Anti-forgery tokens and tickets of sockets have another key from the next start of the server on. Pages fetch new ones by themselves; known browsers are known again after their next sign-in.',
      saidAtOnce:
        'Anti-forgery tokens and tickets of sockets have another key. Start the server again; pages fetch new ones by themselves.',
    },
  ],
  [
    'data',
    {
      // The first one seals, all of them open: what lies in the records and in backups of devices is not sealed anew.
      files: { 'secrets/mfa': (text, isAtOnce) => [makeSealKey(), ...(isAtOnce ? [] : [text])].join('\n') },
      said: 'From the next start of the server on, second factors, secrets of providers and sources, waiting mails and backups of devices are sealed with another key. What the ones before sealed is still opened, and gets the new one when it is saved again.',
      saidAtOnce:
        'Second factors, secrets of providers and sources, waiting mails and backups of devices have another key. Start the server again: what was sealed before cannot be opened any more, and has to be set up anew.',
    },
  ],
  [
    'audit',
    {
      files: { 'secrets/audit.pem': makeSigningKey },
      said: 'Exports of the audit log are signed with another key from the next start of the server on. Keep the public key of the one before with the exports that it signed.',
      saidAtOnce: 'Exports of the audit log have another key. Start the server again.',
    },
  ],
  [
    'sso',
    {
      files: {
        [SSO_PAIRS.signing.file]: () => makeSsoPair(SSO_PAIRS.signing),
        [SSO_PAIRS.encryption.file]: withNewPair,
      },
      said: 'Single sign-on by SAML has other keys from the next start of the server on. Give every directory the new metadata: one that checks our requests refuses them until then. What it still encrypts for the key before is opened.',
      saidAtOnce:
        'Single sign-on by SAML has other keys. Start the server again, and give every directory the new metadata: nobody signs in by it until then.',
    },
  ],
  [
    'authority',
    {
      files: { 'ca/ca.pem': async () => pairText(await makeAuthority()) },
      isAlwaysAtOnce: true,
      said: '',
      saidAtOnce:
        'There is another authority of devices, and the server makes its own certificates anew at its next start. No device can connect with what it has: give each one a new pack, or its keys alone.',
    },
  ],
]);

/**
 * Another key for one purpose, from the next start on; what the present one made is taken until it is over, or until the key is
 * changed once more. `--at-once` ends all of it.
 */
export async function renewKey(
  config: Config,
  word: string,
  args: readonly string[],
  say: Say,
): Promise<number> {
  const renewal = RENEWALS.get(word);
  if (!renewal)
    throw new CommandError(`There is no key for "${word}", only for ${[...RENEWALS.keys()].join(', ')}.`);
  const { values } = parseArgs({
    args: [...args],
    options: { 'at-once': { type: 'boolean', default: false } },
  });
  const isAtOnce = values['at-once'];
  if (renewal.isAlwaysAtOnce && !isAtOnce)
    throw new CommandError(
      `After "albedo keys ${word}" no device can connect until it was given new keys. If it has to be, say so with --at-once.`,
    );
  const dataDir = resolve(config.dataDir);
  const names = Object.keys(renewal.files);
  // At once also what is lost or damaged.
  for (const name of names)
    if (!existsSync(join(dataDir, isAtOnce ? dirname(name) : name)))
      throw new CommandError(
        `There is no ${join(dataDir, name)}: no server has started on this data folder.`,
      );
  const ring = await openKeyRing(config);
  const renewed = async (name: string, sealed: () => Promise<string>) => {
    // Nothing is needed of one that ends, which may be damaged or gone.
    const before = isAtOnce ? '' : await ring.open(await sealed(), name);
    return ring.close((await renewal.files[name]?.(before, isAtOnce)) ?? '', name);
  };
  if (config.databaseUrl === null)
    for (const name of names) {
      const path = join(dataDir, name);
      await write(path, await renewed(name, () => readFile(path, 'utf8')));
    }
  else
    await withShared(config.databaseUrl, dataDir, async (store) => {
      for (const name of names) {
        const shared = await store.get(name);
        if (!shared) throw new CommandError(`The database has no ${name}.`);
        await store.replace(name, await renewed(name, async () => shared));
      }
    });
  say(isAtOnce ? renewal.saidAtOnce : renewal.said);
  return 0;
}
