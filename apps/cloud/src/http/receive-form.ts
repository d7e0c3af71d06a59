import { randomUUID } from 'node:crypto';
import { type Readable, Transform } from 'node:stream';
import { type Endpoint, type FileLimits, fileField } from '@albedo/contract/http/endpoint';
import { demandedBody } from '@albedo/contract/http/query';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../errors/app-error.ts';
import { demandPlain } from '../errors/plain.ts';
import { invalid, issuesText, requestIssues } from '../errors/request-issues.ts';
import { brokenPromise, HEAD_BYTES } from '../files/file-kind.ts';
import type { FileStore } from '../files/files.store.ts';
import type { ScanFile } from '../files/virus-scan.ts';
import { type Call, type Parsed, recheckAccess } from './bind.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Looks for viruses in what comes in; null where the operator has no scanner. */
    scanFile: ScanFile | null;
  }
}

/** Where the files of a form go. */
interface Place {
  store: FileStore;
  prefix: string;
  /** What comes is a part of a file, so how it begins says nothing. */
  arePieces?: boolean;
}

/** A file that came with a form and lies in the store. */
export interface ReceivedFile {
  /** Where it lies: the last part is `id`. */
  key: string;
  id: string;
  /** As the sender calls it, without a path or control characters; never used as one. */
  name: string;
  /** The media type that the sender claims. */
  type: string;
  /** Bytes. */
  size: number;
}

/** Both are taken, wherever a form brings one or several. */
const FILE_FIELDS: ReadonlySet<string> = new Set(['file', 'files']);

/**
 * Reads a form: its fields are checked by the endpoint's body schema, its files go into the store as they come in,
 * under `prefix`. When anything is refused or fails, `use` included, none of the files stays.
 *
 * Throws `request.invalid`, `file.too_large`, `file.too_much`, `file.too_many`, `file.wrong_kind`, `file.infected`,
 * `file.not_scanned`.
 */
export async function receiveForm<E extends Endpoint, T>(
  call: Call<E>,
  to: Place,
  use: (form: { fields: Parsed<E, 'body'>; files: ReceivedFile[] }) => Promise<T>,
): Promise<T> {
  const { request } = call;
  const { endpoint } = request.routeOptions.config;
  if (!endpoint?.files) throw new Error('The endpoint takes no files.');
  if (!request.isMultipart()) throw invalid('issue.no_form');
  const kept: ReceivedFile[] = [];
  try {
    const texts = await readParts(request, endpoint.files, to, kept);
    demandPlain(texts);
    const fields = demandedBody(endpoint)?.safeParse(texts);
    if (fields?.error) {
      const issues = requestIssues(fields.error.issues);
      throw new AppError('request.invalid', { what: issuesText(issues, ' in the form') }, issues);
    }
    await recheckAccess(request);
    return await use({ fields: fields?.data as Parsed<E, 'body'>, files: kept });
  } catch (error) {
    // The rest of the body is read and forgotten, so that the sender hears the answer.
    request.raw.unpipe();
    request.raw.resume();
    await Promise.allSettled(kept.map(({ key }) => to.store.remove(key)));
    throw refusalOf(error, endpoint.files);
  }
}

async function readParts(
  request: FastifyRequest,
  limits: FileLimits,
  { store, prefix, arePieces = false }: Place,
  kept: ReceivedFile[],
): Promise<Record<string, string>> {
  const { count, fileBytes, totalBytes } = limits;
  const fields = new Map<string, string>();
  let total = 0;
  // One byte more than allowed, so that a file of exactly the limit is not taken for one that is cut off.
  const parts = request.parts({ limits: { files: count, fileSize: fileBytes + 1 } });
  for await (const part of parts) {
    if (part.type === 'field') {
      if (part.valueTruncated) throw invalid('issue.text_long', {}, part.fieldname);
      // Browsers send every line break as two characters.
      fields.set(part.fieldname, String(part.value).replaceAll('\r\n', '\n'));
      continue;
    }
    if (!FILE_FIELDS.has(part.fieldname)) throw invalid('issue.file_field', { field: fileField(limits) });
    const id = randomUUID();
    const file = { id, key: `${prefix}/${id}`, name: nameOf(part.filename), type: part.mimetype, size: 0 };
    const counter = countInto(file, (head) => {
      total += file.size;
      if (file.size > fileBytes)
        throw new AppError('file.too_large', { name: file.name, limit: mb(fileBytes) });
      if (total > totalBytes) throw new AppError('file.too_much', { limit: mb(totalBytes) });
      const kinds = arePieces ? null : brokenPromise(file.name, head);
      if (kinds) throw new AppError('file.wrong_kind', { name: file.name, kinds });
    });
    await store.put(file.key, through(part.file, counter));
    kept.push(file);
    await demandClean(request.server.scanFile, store, file);
  }
  return Object.fromEntries(fields);
}

async function demandClean(
  scan: ScanFile | null,
  store: FileStore,
  { key, name }: ReceivedFile,
): Promise<void> {
  const bytes = scan && (await store.get(key));
  const virus = bytes && (await scan(bytes));
  if (virus) throw new AppError('file.infected', { name, virus });
}

/** Counts what passes; at its end `check` decides by the begin of the file whether it is kept. */
function countInto(file: { size: number }, check: (head: Buffer) => void): Transform {
  let head = Buffer.alloc(0);
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (head.length < HEAD_BYTES) head = Buffer.concat([head, chunk.subarray(0, HEAD_BYTES - head.length)]);
      file.size += chunk.length;
      done(null, chunk);
    },
    flush(done) {
      try {
        check(head);
        done();
      } catch (error) {
        done(error as Error);
      }
    },
  });
}

/** `pipe` alone would leave the end waiting for ever when the source fails. */
function through(source: Readable, transform: Transform): Readable {
  source.on('error', (error) => transform.destroy(error));
  return source.pipe(transform);
}

/**
 * The name for people: browsers of old send a path, those of now write a quotation mark as `%22`, and control characters
 * have no place in a header.
 */
function nameOf(text: string | undefined): string {
  const name = ((text ?? '').split(/[/\\]/).at(-1) ?? '').replaceAll('%22', '"');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  return name.replace(/[\u0000-\u001f\u007f]/g, '').slice(0, 200) || 'file';
}

function refusalOf(error: unknown, { count }: FileLimits): unknown {
  const { code } = error as { code?: string };
  return code === 'FST_FILES_LIMIT' ? new AppError('file.too_many', { count }) : error;
}

const mb = (bytes: number): string => `${bytes / 1_000_000} MB`;
