import type { Credential, ExternalSource } from '@albedo/contract/external-sources/external-sources.schema';
import { AppError } from '../errors/app-error.ts';
import { type ForeignRecord, readRecords, UnreadableRecords } from '../mapping/read-records.ts';
import { OUTBOUND_AN_HOUR, type OutboundQuota } from '../outbound/outbound.quota.ts';
import { OutsideError, type OutsideFetch } from '../outbound/outside-fetch.ts';

export interface Reading {
  workgroup: string;
  pull: NonNullable<ExternalSource['pull']>;
  secret: string | null;
  format: ExternalSource['format'];
  recordsPath: string;
  /** Newest event that is stored, epoch ms; null before the first. */
  newestAt: number | null;
}

const DAY_MS = 86_400_000;

/** Reads a source once, through the gate. Throws `external_source.unreachable`, `external_source.busy`. */
export async function readOutside(
  { gate, quota }: { gate: OutsideFetch; quota: OutboundQuota },
  of: Reading,
): Promise<ForeignRecord[]> {
  if (!quota.take(of.workgroup)) throw new AppError('external_source.busy', { count: OUTBOUND_AN_HOUR });
  try {
    const url = addressOf(of.pull.address, of.newestAt);
    const response = await gate.fetch(url, { headers: headersOf(of.pull.credential, of.secret, of.format) });
    const text = await response.text();
    if (!response.ok) throw new OutsideError(`it answered with status ${response.status}.`);
    return readRecords(text, of.format, of.recordsPath);
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw unreachable(error);
  }
}

export function unreachable(error: unknown): AppError {
  const isKnown = error instanceof OutsideError || error instanceof UnreadableRecords;
  return new AppError('external_source.unreachable', {
    why: isKnown ? error.message : 'its answer ended too early.',
  });
}

function addressOf(address: string, newestAt: number | null): URL {
  const from = new Date(newestAt ?? Date.now() - DAY_MS).toISOString();
  const filled = address
    .replaceAll('{from}', encodeURIComponent(from))
    .replaceAll('{to}', encodeURIComponent(new Date().toISOString()));
  if (!URL.canParse(filled)) throw new OutsideError('this is no address.');
  return new URL(filled);
}

function headersOf(
  credential: Credential,
  secret: string | null,
  format: ExternalSource['format'],
): Record<string, string> {
  const accept = { accept: format === 'json' ? 'application/json' : 'text/csv, text/plain' };
  const word = secret ?? '';
  switch (credential.kind) {
    case 'none':
      return accept;
    case 'bearer':
      return { ...accept, authorization: `Bearer ${word}` };
    case 'basic':
      return {
        ...accept,
        authorization: `Basic ${Buffer.from(`${credential.user}:${word}`).toString('base64')}`,
      };
    case 'header':
      return { ...accept, [credential.header]: word };
  }
}
