import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { csvStyle } from '@albedo/contract/csv/csv-style.schema';
import { csvText } from '@albedo/contract/csv/csv-writer';
import { afterAll, expect, test } from 'vitest';
import { readSheet } from '../mapping/read-sheet.ts';

const folder = mkdtempSync(join(tmpdir(), 'csv-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function hasOffice(): boolean {
  try {
    execFileSync('soffice', ['--version'], { stdio: 'ignore', timeout: 20_000 });
    return true;
  } catch {
    return false;
  }
}

/** As a double click opens it there: the separator of the language, UTF-8, and numbers as that language has them. */
const LANGUAGES = [
  { language: 'German', code: 1031, separator: 59, style: { delimiter: ';', decimal: ',' } },
  { language: 'English', code: 1033, separator: 44, style: { delimiter: ',', decimal: '.' } },
] as const;

test.skipIf(!hasOffice()).each(LANGUAGES)(
  'LibreOffice in $language reads numbers as numbers and clocks as dates (skipped where soffice is not installed)',
  async ({ language, code, separator, style }) => {
    const path = join(folder, `${language}.csv`);
    const columns = [{ title: 'Größe' }, { title: 'time', isTime: true }, { title: 'P', units: 'kW' }];
    const rows = [['Süd', new Date('2026-07-01T10:00:00Z'), 1234.5678]];
    const whole = csvStyle.parse({ ...style, bom: true, times: 'clock', timezone: 'Europe/Berlin' });
    writeFileSync(path, csvText(columns, rows, whole));
    const profile = `-env:UserInstallation=file://${join(folder, language)}`;
    const filter = `CSV:${separator},34,76,1,,${code},false,true`;
    execFileSync(
      'soffice',
      [profile, '--headless', `--infilter=${filter}`, '--convert-to', 'xlsx', '--outdir', folder, path],
      { timeout: 120_000, stdio: 'ignore' },
    );
    const sheet = await readSheet(readFileSync(path.replace('.csv', '.xlsx')), { unpackedBytes: 10_000_000 });
    expect(sheet.rows).toEqual([
      ['Größe', 'time', 'time offset', 'P [kW]'],
      ['Süd', new Date('2026-07-01T12:00:00Z'), 'UTC+02:00', 1234.5678],
    ]);
  },
  150_000,
);
