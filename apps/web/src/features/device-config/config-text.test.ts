import { expect, test } from 'vitest';
import { entriesOf, putEntry, withoutEntry } from './config-text.ts';

const TEXT = `# Plant north
mqtt:
  hostname: cloud.example.org # ours
shared: &cells
  - { name: Power, expect: decimal, meta: { units: kW } }
tail:
  # the old logger
  - table: solar
    source: roof
    file: /srv/roof.csv
    expect: csv
    fields: *cells
    extra: kept
`;

test('what a configuration captures is listed, with what others share', () => {
  expect(entriesOf(TEXT)).toEqual([expect.objectContaining({ list: 'tail', at: 0, hasSharedFields: true })]);
  expect(entriesOf('')).toEqual([]);
  expect(entriesOf('a: [')).toEqual({ line: 1 });
  expect(entriesOf('- 1')).toEqual({ line: 1 });
  expect(entriesOf('tail: 5\nwatch: [null, 3]\n__proto__: [{}]')).toEqual([]);
});

test('an entry that is changed leaves comments, shared lists and unknown keys as they are', () => {
  const [entry] = entriesOf(TEXT) as { values: Record<string, unknown> }[];
  const values = { ...entry?.values, source: 'roof 2' };
  const changed = putEntry(TEXT, { list: 'tail', at: 0, values });
  expect(changed).toBe(TEXT.replace('source: roof\n', 'source: roof 2\n'));
});

test('an entry that is added stands in its list, also of a text that has none or is empty', () => {
  const values = { directory: '/srv', filename: 'latest.csv' };
  const added = putEntry(TEXT, { list: 'dynamic_tail', at: null, values });
  expect(added).toBe(`${TEXT}dynamic_tail:\n  - directory: /srv\n    filename: latest.csv\n`);
  const twice = putEntry(added, { list: 'dynamic_tail', at: null, values: { directory: '/b' } });
  expect(twice).toBe(`${added}  - directory: /b\n`);
  expect(putEntry('# nothing yet\n', { list: 'run_dir', at: null, values: { directory: '/b' } })).toBe(
    '# nothing yet\nrun_dir:\n  - directory: /b\n',
  );
  expect(putEntry('run: []\n', { list: 'run', at: null, values: { table: 'a' } })).toBe(
    'run:\n  - table: a\n',
  );
});

test('the last entry of a list takes the list with it, but where no list means the usual folders', () => {
  expect(withoutEntry(TEXT, { list: 'tail', at: 0 })).not.toContain('tail');
  const folders = 'dynamic_tail:\n  - directory: /srv\n';
  expect(withoutEntry(folders, { list: 'dynamic_tail', at: 0 })).toBe('dynamic_tail: []\n');
});
