import { verify } from 'node:crypto';
import {
  type SignedManifest,
  type UpgradeManifest,
  upgradeManifest,
} from '@albedo/contract/upgrades/upgrades.schema';
import { AskError } from '../link/ask-error.ts';
import { CODE_SIGNING, signerOf } from '../trust/signer.ts';

export interface VerifyOptions {
  /** What this device trusts, PEM. */
  caPem: string;
  device: string;
  /** The version that runs. */
  version: string;
  now?: number;
}

/**
 * The manifest, once it is known to be from the cloud of this device and for it.
 *
 * Its key has a certificate of the authority that this device trusts for its connection, and one for signing programs:
 * neither another device nor the server's own key can sign one. An older version is refused, so that nobody brings back
 * a fault that was mended.
 */
export function verifiedManifest(signed: SignedManifest, options: VerifyOptions): UpgradeManifest {
  const { now = Date.now() } = options;
  demandSigned(signed, options.caPem, now);
  let manifest: UpgradeManifest;
  try {
    manifest = upgradeManifest.parse(JSON.parse(signed.manifest));
  } catch {
    throw refused('it cannot be read');
  }
  if (manifest.device !== options.device) throw refused('it is for another device');
  if (manifest.expiresAt < now) throw refused('it has expired, or the clock of this device is ahead');
  const order = compareVersions(manifest.version, options.version);
  if (order < 0) throw refused(`${manifest.version} is older than ${options.version}, which runs here`);
  if (order === 0) throw new AskError('invalid', `The agent is ${options.version} already.`);
  const node = Number(process.versions.node.split('.')[0]);
  if (node < manifest.node) {
    throw new AskError('unable', `Version ${manifest.version} needs Node ${manifest.node}, here is ${node}.`);
  }
  const paths = manifest.files.map(({ path }) => path);
  if (new Set(paths).size < paths.length) throw refused('it names a file twice');
  if (!paths.includes('agent.mjs')) throw refused('it has no program');
  return manifest;
}

function demandSigned(
  { manifest, signature, certificate }: SignedManifest,
  caPem: string,
  now: number,
): void {
  const signer = signerOf(certificate, { caPem, usage: CODE_SIGNING, now });
  let isGood = false;
  try {
    isGood =
      signer !== null &&
      verify('sha256', Buffer.from(manifest), signer.publicKey, Buffer.from(signature, 'base64'));
  } catch {
    // What cannot be read is not signed.
  }
  if (!isGood) throw refused('its signature is not that of the cloud of this device');
}

const refused = (why: string) => new AskError('refused', `The new version is not installed: ${why}.`);

/** Below 0 where `a` is older. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((one) => one.split('.').map(Number));
  for (let at = 0; at < 3; at++) {
    const difference = (left?.[at] ?? 0) - (right?.[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
