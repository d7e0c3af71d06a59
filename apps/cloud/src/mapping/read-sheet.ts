import { readXlsx } from 'hucre/xlsx';
import { zipDirectory } from './zip-directory.ts';

/** Parts of a spreadsheet. */
const PARTS = 2000;

export type SheetCell = string | number | boolean | Date | null;

/** A spreadsheet that cannot be read; the message is for people. */
export class UnreadableSheet extends Error {}

/** What ZIP files begin with, and with it spreadsheets. */
export const isSheet = (bytes: Buffer): boolean => bytes.subarray(0, 4).equals(Buffer.from('PK\u0003\u0004'));

/**
 * The rows of one sheet of a spreadsheet, the first one without a name, and the names of all.
 *
 * What it would unpack to is asked of its directory first, and that nothing in it is a program. Throws `UnreadableSheet`.
 */
export async function readSheet(
  bytes: Buffer,
  { unpackedBytes: most, sheet = null }: { unpackedBytes: number; sheet?: string | null },
): Promise<{ names: string[]; rows: SheetCell[][] }> {
  const parts = zipDirectory(bytes);
  if (!parts) throw new UnreadableSheet('The spreadsheet is damaged.');
  const unpacked = parts.reduce((sum, part) => sum + part.unpacked, 0);
  if (unpacked > most || parts.length > PARTS)
    throw new UnreadableSheet(`It unpacks to more than ${Math.round(most / 1e6)} MB.`);
  if (parts.some(({ name }) => /vbaProject\.bin|\/(activeX|embeddings|macrosheets)\//i.test(name)))
    throw new UnreadableSheet('It has macros or embedded files. Save it as XLSX or CSV without them.');
  const names: string[] = [];
  try {
    const { sheets } = await readXlsx(bytes, {
      sheets: ({ name }, i) => {
        names.push(name);
        return sheet === null ? i === 0 : name === sheet;
      },
    });
    return { names, rows: (sheets[0]?.rows ?? []) as SheetCell[][] };
  } catch (error) {
    throw new UnreadableSheet(error instanceof Error ? error.message : String(error));
  }
}
