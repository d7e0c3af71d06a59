import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { type Entry, fromBuffer, type ZipFile } from 'yauzl';
import { bytesOf, type ForeignBytes, RefusedFile, UNPACKED_BYTES } from './foreign-files.ts';

const unzip = promisify(gunzip);
const PARTS = 100;
const ENCRYPTED = 1;
const [KIND, LINK] = [0o170000, 0o120000];

/**
 * The files of a ZIP archive, the file in a gzip file, or the file itself. Nothing is written to disk. Archives with names that
 * lead elsewhere, links, nested archives, passwords or too much content are refused as a whole. Throws `RefusedFile`.
 */
export async function unpack({ name, bytes }: ForeignBytes, most = UNPACKED_BYTES): Promise<ForeignBytes[]> {
  if (isZip(bytes)) return unpackZip({ name, bytes }, most);
  if (!isGzip(bytes)) return [plain({ name, bytes })];
  const inner = await unzip(bytes, { maxOutputLength: most }).catch((error: NodeJS.ErrnoException) => {
    throw new RefusedFile(
      error.code === 'ERR_BUFFER_TOO_LARGE' ? tooLarge(most) : 'The gzip file is damaged.',
    );
  });
  return [plain({ name: name.replace(/\.gz$/i, ''), bytes: notPacked(inner) })];
}

const isZip = (bytes: Buffer): boolean => bytes.subarray(0, 4).equals(Buffer.from('PK\u0003\u0004'));
const isGzip = (bytes: Buffer): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;
const isTar = (bytes: Buffer): boolean => bytes.toString('latin1', 257, 262) === 'ustar';
const tooLarge = (most: number): string => `It unpacks to more than ${Math.round(most / 1e6)} MB.`;

function plain(file: ForeignBytes): ForeignBytes {
  if (isTar(file.bytes))
    throw new RefusedFile('TAR archives are not read. Send ZIP or gzip, or the file itself.');
  return file;
}

function notPacked(bytes: Buffer): Buffer {
  if (isZip(bytes) || isGzip(bytes)) throw new RefusedFile('It is an archive within an archive.');
  return bytes;
}

async function unpackZip({ name, bytes }: ForeignBytes, most: number): Promise<ForeignBytes[]> {
  try {
    const zip = await openZip(bytes);
    const entries = await entriesOf(zip);
    const sizes = entries.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0);
    if (sizes > most) throw new RefusedFile(tooLarge(most));
    for (const entry of entries) demandPlain(entry);
    const files: ForeignBytes[] = [];
    for (const entry of entries.toSorted((a, b) => a.fileName.localeCompare(b.fileName))) {
      const inner = notPacked(await bytesOf(await streamOf(zip, entry), entry.uncompressedSize));
      files.push(plain({ name: `${name}/${entry.fileName}`, bytes: inner }));
    }
    return files;
  } catch (error) {
    if (error instanceof RefusedFile) throw error;
    throw new RefusedFile(`The ZIP archive is not read: ${error instanceof Error ? error.message : error}.`);
  }
}

function demandPlain({ fileName, generalPurposeBitFlag, externalFileAttributes }: Entry): void {
  if ((generalPurposeBitFlag & ENCRYPTED) !== 0) throw new RefusedFile('The ZIP archive has a password.');
  if (((externalFileAttributes >>> 16) & KIND) === LINK)
    throw new RefusedFile(`The ZIP archive has a link in it: ${fileName.slice(0, 100)}.`);
  if (/^xl\/workbook\.xml$/.test(fileName))
    throw new RefusedFile('It is a spreadsheet. Have it sent as CSV.');
}

function openZip(bytes: Buffer): Promise<ZipFile> {
  return new Promise((resolve, reject) => {
    fromBuffer(bytes, { lazyEntries: true, strictFileNames: true }, (error, zip) =>
      error ? reject(error) : resolve(zip),
    );
  });
}

/** Only files; folders have no content. */
function entriesOf(zip: ZipFile): Promise<Entry[]> {
  return new Promise((resolve, reject) => {
    const entries: Entry[] = [];
    zip.on('error', reject);
    zip.on('end', () => resolve(entries));
    zip.on('entry', (entry: Entry) => {
      if (!entry.fileName.endsWith('/') && !isOfSystem(entry)) entries.push(entry);
      if (entries.length > PARTS) reject(new RefusedFile(`The ZIP archive has more than ${PARTS} files.`));
      else zip.readEntry();
    });
    zip.readEntry();
  });
}

/** Hidden files, and files that systems such as macOS add. */
const isOfSystem = ({ fileName }: Entry): boolean => /(?:^|\/)(?:__MACOSX\/|\.[^/]*$)/.test(fileName);

function streamOf(zip: ZipFile, entry: Entry): Promise<NodeJS.ReadableStream & AsyncIterable<Buffer>> {
  return new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) =>
      error ? reject(error) : resolve(stream as NodeJS.ReadableStream & AsyncIterable<Buffer>),
    );
  });
}
