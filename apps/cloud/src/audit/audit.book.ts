import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { Readable } from 'node:stream';
import { type AuditLink, ChainCheck } from './audit.chain.ts';
import type { AuditStore } from './audit.store.ts';

/** What stands below the entries of an export. `signature` is Ed25519 over the line without it, base64. */
export interface Seal {
  audit: 'albedo';
  workgroup: string;
  entries: number;
  /** Hash of the newest entry; empty where there is none. */
  head: string;
  /** ISO 8601. */
  at: string;
  /** SHA-256 of all lines above, hex. */
  sha256: string;
  /** PEM. */
  publicKey: string;
  signature: string;
}

/** How the chain of one workgroup fares. */
export interface ChainReport {
  workgroup: string;
  entries: number;
  head: string;
  /** What is wrong; null when nothing is. */
  fault: string | null;
}

/** Takes the audit log out of the house, and looks whether it is whole. */
export class AuditBook {
  readonly #store: AuditStore;
  readonly #key: KeyObject;
  /** Of exports, PEM. */
  readonly publicKey: string;

  constructor(store: AuditStore, keyPem: string) {
    this.#store = store;
    this.#key = createPrivateKey(keyPem);
    this.publicKey = createPublicKey(this.#key).export({ type: 'spki', format: 'pem' }) as string;
  }

  /** Lines of JSON: the entries from the first one on, each with its hash, and below them the seal. */
  export(workgroup: string): Readable {
    return Readable.from(this.#lines(workgroup), { objectMode: false });
  }

  async *#lines(workgroup: string): AsyncGenerator<string> {
    // What is written meanwhile is not in it.
    const { seq: entries, hash: head } = (await this.#store.head(workgroup)) ?? { seq: 0, hash: '' };
    const sum = createHash('sha256');
    for await (const links of this.#store.links(workgroup, { to: entries })) {
      const text = links.map(lineOf).join('');
      sum.update(text);
      yield text;
    }
    const at = new Date().toISOString();
    const { publicKey } = this;
    const seal = { audit: 'albedo', workgroup, entries, head, at, sha256: sum.digest('hex'), publicKey };
    const signature = sign(null, Buffer.from(JSON.stringify(seal)), this.#key).toString('base64');
    yield `${JSON.stringify({ ...seal, signature })}\n`;
  }
}

const lineOf = ({ seq, body, hash }: AuditLink): string => `${JSON.stringify({ seq, body, hash })}\n`;

/** Follows every chain from its first entry to its last. */
export async function verifyChains(store: AuditStore): Promise<ChainReport[]> {
  const reports: ChainReport[] = [];
  for (const workgroup of await store.workgroups()) {
    const head = await store.head(workgroup);
    const chain = new ChainCheck();
    let fault: string | null = null;
    for await (const links of store.links(workgroup, { to: head?.seq ?? Number.MAX_SAFE_INTEGER })) {
      for (const link of links) fault ??= chain.follow(link);
      if (fault) break;
    }
    fault ??= chain.end(head);
    reports.push({ workgroup, entries: chain.seq, head: chain.hash, fault });
  }
  return reports;
}

/**
 * Reads an export. Answers what is wrong with it, or its seal. `publicKey` (PEM) is the key that it must be signed
 * with; without one, the key that it names itself counts, which proves only that nobody else's hand was in it since.
 */
export async function verifyExport(
  lines: AsyncIterable<string>,
  publicKey: string | null = null,
): Promise<{ fault: string } | { seal: Seal }> {
  const sum = createHash('sha256');
  const links: { seq: number; body: string; hash: string }[] = [];
  let seal: Seal | null = null;
  for await (const line of lines) {
    if (line.trim() === '') continue;
    if (seal) return { fault: 'something stands below its seal' };
    const read = parsed(line);
    if (read === null) return { fault: 'a line is no JSON' };
    if ('audit' in read) seal = read as unknown as Seal;
    else {
      sum.update(`${line}\n`);
      links.push(read as (typeof links)[number]);
    }
  }
  if (!seal) return { fault: 'it has no seal; it is cut short' };
  const { signature, ...signed } = seal;
  const key = createPublicKey(publicKey ?? seal.publicKey);
  if (!verify(null, Buffer.from(JSON.stringify(signed)), key, Buffer.from(signature, 'base64')))
    return { fault: 'the seal was not made with this key' };
  const { workgroup } = seal;
  const chain = new ChainCheck();
  for (const link of links) {
    const fault = chain.follow({ ...link, workgroup });
    if (fault) return { fault };
  }
  const fault = chain.end({ seq: seal.entries, hash: seal.head });
  if (fault) return { fault };
  return sum.digest('hex') === seal.sha256 ? { seal } : { fault: 'its lines are not those that were signed' };
}

function parsed(line: string): Record<string, unknown> | null {
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return null;
  }
}
