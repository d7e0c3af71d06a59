import { createHash, sign } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  Metadata,
  MetadataKind,
  MetaFile,
  Root,
  Signature,
  Snapshot,
  TargetFile,
  Targets,
  Timestamp,
} from '@tufjs/models';
import { type PublisherKeys, publisherKeys, ROLES, type RoleKey } from './publisher.keys.ts';

const DAY_MS = 86_400_000;
/** How long metadata are taken, days: what changes with every publication is the sooner stale. */
const LIFE_DAYS = { root: 730, targets: 365, snapshot: 365, timestamp: 365 };
const SPEC_VERSION = '1.0.31';

/** Something to publish: a file, where it lies in the repository, and what is known of it. */
export interface Publication {
  path: string;
  bytes: Buffer;
  custom: Record<string, unknown>;
}

export interface PublishOptions {
  /** Folder of the publisher's keys, and of what they have signed as root. */
  keys: string;
  /** Folder that clouds serve from; made new in one rename. */
  repository: string;
  publications: Publication[];
  now?: number;
}

/**
 * Signs a repository of packages by The Update Framework: `metadata/` and `targets/`. What was published before stays.
 *
 * Versions of metadata rise with the clock, so that a repository that was lost and made again is not older than the one
 * that devices know. A new root is signed by the keys of the one before too.
 */
export function publish({ keys: folder, repository, publications, now = Date.now() }: PublishOptions): void {
  const keys = publisherKeys(folder);
  const roots = rootsOf(folder, keys, now);
  const targets = knownTargets(repository);
  for (const { path, bytes, custom } of publications) {
    const hashes = { sha256: sha256(bytes) };
    const unrecognizedFields = { custom } as never;
    targets.set(path, new TargetFile({ path, length: bytes.length, hashes, unrecognizedFields }));
  }
  const version = Math.max(Math.floor(now / 1000), versionOf(repository) + 1);
  const expires = (role: keyof typeof LIFE_DAYS) => expiry(now, LIFE_DAYS[role]);
  const base = { version, specVersion: SPEC_VERSION };
  const signedTargets = new Targets({
    ...base,
    expires: expires('targets'),
    targets: Object.fromEntries(targets),
  });
  const targetsText = signedText(signedTargets, [keys.targets]);
  const snapshot = new Snapshot({
    ...base,
    expires: expires('snapshot'),
    meta: { 'targets.json': metaFile(version, targetsText) },
  });
  const snapshotText = signedText(snapshot, [keys.snapshot]);
  const timestamp = new Timestamp({
    ...base,
    expires: expires('timestamp'),
    snapshotMeta: metaFile(version, snapshotText),
  });

  const fresh = `${repository}.new`;
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(join(fresh, 'metadata'), { recursive: true });
  const put = (path: string, content: string | Buffer) => {
    mkdirSync(dirname(join(fresh, path)), { recursive: true });
    writeFileSync(join(fresh, path), content);
  };
  for (const [index, text] of roots.entries()) put(`metadata/${index + 1}.root.json`, text);
  put('metadata/root.json', roots.at(-1) ?? '');
  put('metadata/targets.json', targetsText);
  put('metadata/snapshot.json', snapshotText);
  put('metadata/timestamp.json', signedText(timestamp, [keys.timestamp]));
  const published = new Map(publications.map(({ path, bytes }) => [path, bytes]));
  for (const path of targets.keys()) {
    put(`targets/${path}`, published.get(path) ?? readFileSync(join(repository, 'targets', path)));
  }
  const before = `${repository}.old`;
  rmSync(before, { recursive: true, force: true });
  if (existsSync(repository)) renameSync(repository, before);
  renameSync(fresh, repository);
  rmSync(before, { recursive: true, force: true });
}

/** All roots since the first one, as texts; a new one is made when the newest is half through its life. */
function rootsOf(folder: string, keys: PublisherKeys, now: number): string[] {
  const known = readdirSync(folder)
    .flatMap((name) => /^(\d+)\.root\.json$/.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b)
    .map((version) => readFileSync(join(folder, `${version}.root.json`), 'utf8'));
  const newest = known.at(-1);
  const expires = newest
    ? Date.parse((JSON.parse(newest) as { signed: { expires: string } }).signed.expires)
    : 0;
  if (expires > now + (LIFE_DAYS.root / 2) * DAY_MS) return known;
  const version = known.length + 1;
  const root = new Root({
    version,
    specVersion: SPEC_VERSION,
    expires: expiry(now, LIFE_DAYS.root),
    consistentSnapshot: false,
  });
  for (const role of ROLES) root.addKey(keys[role].key, role);
  const text = signedText(root, [keys.root]);
  writeFileSync(join(folder, `${version}.root.json`), text);
  return [...known, text];
}

function knownTargets(repository: string): Map<string, TargetFile> {
  const path = join(repository, 'metadata/targets.json');
  if (!existsSync(path)) return new Map();
  const { signed } = Metadata.fromJSON(MetadataKind.Targets, JSON.parse(readFileSync(path, 'utf8')));
  return new Map(Object.entries(signed.targets));
}

function versionOf(repository: string): number {
  const path = join(repository, 'metadata/timestamp.json');
  if (!existsSync(path)) return 0;
  return Number((JSON.parse(readFileSync(path, 'utf8')) as { signed: { version: number } }).signed.version);
}

function signedText(signed: Root | Targets | Snapshot | Timestamp, keys: RoleKey[]): string {
  const metadata = new Metadata(signed);
  for (const { id, secret } of keys) {
    metadata.sign(
      (data) => new Signature({ keyID: id, sig: sign(null, data, secret).toString('hex') }),
      true,
    );
  }
  return JSON.stringify(metadata.toJSON());
}

const metaFile = (version: number, text: string): MetaFile =>
  new MetaFile({ version, length: Buffer.byteLength(text), hashes: { sha256: sha256(text) } });

const sha256 = (bytes: string | Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** As The Update Framework writes instants: whole seconds, UTC. */
const expiry = (now: number, days: number): string =>
  `${new Date(now + days * DAY_MS).toISOString().slice(0, 19)}Z`;
