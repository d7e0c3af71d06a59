import { expect, test } from 'vitest';
import { checkArguments, type Options, parseCommandLine } from './arguments.ts';
import { parseBusAddresses } from './bus-addresses.ts';

const OPTIONS: Options = {
  port: { kind: 'integer', default: 502, help: '' },
  delay: { kind: 'decimal', default: 0.05, help: '' },
  source_map: { kind: 'file', default: '', short: 's', help: '' },
  changes_only: { kind: 'flag', short: 'c', help: '' },
};

test.each([
  ['1-4,6,10-12', [1, 2, 3, 4, 6, 10, 11, 12]],
  [' 3 , ,5 ', [3, 5]],
  ['2,1-3', [2, 1, 3]],
])('bus addresses %s are read as %j', (text, addresses) => {
  expect(parseBusAddresses(text)).toEqual(addresses);
});

test.each([['1-2-3'], ['a'], ['4-1'], ['1-300'], [''], ['-1']])(
  'bus addresses %j are refused by name',
  (text) => {
    expect(() => parseBusAddresses(text)).toThrow(/^bus addresses: /);
  },
);

test('options have hyphens or underscores, short names and a count of v', () => {
  const line = parseCommandLine(
    ['-vv', 'log', '10.0.0.1', '--source-map', 'm', '--port=1502', '-c'],
    OPTIONS,
  );
  expect(line).toMatchObject({
    verb: 'log',
    positionals: ['10.0.0.1'],
    verbosity: 2,
    given: { source_map: 'm', port: '1502', changes_only: true },
  });
});

test('arguments are checked for their kind and have their defaults', () => {
  const args = checkArguments({ endpoint: 'h', port: '1502', changes_only: 'true' }, ['endpoint'], OPTIONS);
  expect([
    args.text('endpoint'),
    args.number('port'),
    args.number('delay'),
    args.flag('changes_only'),
  ]).toEqual(['h', 1502, 0.05, true]);
});

test.each([
  [{ endpoint: 'h', port: 'x' }, 'port: "x" is no whole number'],
  [{ endpoint: 'h', port: '1.5' }, 'port: "1.5" is no whole number'],
  [{ endpoint: 'h', delay: 'soon' }, 'delay: "soon" is no number'],
  [{ endpoint: 'h', changes_only: 'perhaps' }, 'changes_only: "perhaps" is neither true nor false'],
  [{ endpoint: ' ' }, 'endpoint is missing'],
  [{ endpoint: 'h', baud_rate: '1' }, 'there is no argument "baud_rate"'],
])('arguments %j are refused: %s', (given, message) => {
  expect(() => checkArguments(given as Record<string, string>, ['endpoint'], OPTIONS)).toThrow(message);
});
