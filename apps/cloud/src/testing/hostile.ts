import fc from 'fast-check';

/** The seed of all that is made up here; `ALBEDO_FUZZ_SEED` tries others. */
export const SEED = Number(process.env.ALBEDO_FUZZ_SEED ?? 20_261_122);

/** Stands for lists in one another, deeper than any stack; too deep for `JSON.stringify`, so `toJson` writes it. */
const DEEP = '@@deep@@';
const DEEP_JSON = `${'['.repeat(300_000)}${']'.repeat(300_000)}`;
/** A key that only JSON can set. */
const PROTO = '@@proto@@';

/** Names that every object of the language has, and texts that end what they are pasted into. */
const TEXTS = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  'a\udfff\ud800b',
  '\ufffe',
  '\u202e\u200b',
  '\r\nset-cookie: a=b',
  'x'.repeat(20_000),
  '9'.repeat(400),
  '1e309',
  'NaN',
  '-1',
  'null',
  '../../../etc/passwd',
  '..%2f..%2f',
  "'; drop table users; --",
  '`id`$(id)',
  '{{7*7}}',
  '(a+)+$',
  '%',
  '*',
  '\\',
  '=cmd|calc',
  '<svg onload=alert(1)>',
  '2026-13-45T99:99:99Z',
  '+275760-09-13T00:00:00.001Z',
  '00000000-0000-0000-0000-000000000000',
  '☀'.repeat(300),
] as const;

const NUMBERS = [0, -0, -1, 1.5, 1e308, -1e308, 2 ** 31, 2 ** 53, -(2 ** 63), 1e-320, 8.64e15 + 1];

export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...TEXTS) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
);

/** Anything that JSON can say, but for what `DEEP` stands for. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: hostileText },
  { weight: 3, arbitrary: fc.constantFrom<unknown>(...NUMBERS, null, true, false) },
  {
    weight: 3,
    arbitrary: fc.constantFrom<unknown>(
      {},
      [],
      [[]],
      [null],
      Array.from({ length: 3000 }, (_, at) => at),
      { [PROTO]: { isAdmin: true } },
      { constructor: { prototype: { isAdmin: true } } },
      { toString: 1, valueOf: null },
      { length: 1e9 },
      JSON.parse('{"then":1}'),
      { type: '__proto__' },
    ),
  },
  { weight: 1, arbitrary: fc.json({ maxDepth: 3 }).map((text) => JSON.parse(text) as unknown) },
);

/** A good value with one or two things in it replaced by hostile ones, or with keys that nobody asked for. */
export const spoilt = (good: unknown): fc.Arbitrary<unknown> =>
  fc
    .tuple(fc.nat(), fc.nat(), hostileValue, hostileValue, hostileText, fc.nat(9))
    .map(([first, second, one, other, key, how]) => {
      const copy = structuredClone({ it: good });
      const places = placesOf(copy);
      put(places[first % places.length], structuredClone(one));
      if (how > 6) put(places[second % places.length], structuredClone(other));
      if (how === 0 && typeof copy.it === 'object' && copy.it !== null)
        Object.defineProperty(copy.it, key, {
          value: structuredClone(other),
          enumerable: true,
          configurable: true,
        });
      return copy.it;
    });

/** A value whose lists reach 300,000 levels down. */
export const deep = (good: unknown): unknown => {
  const copy = structuredClone({ it: good });
  put(placesOf(copy).at(-1), DEEP);
  return copy.it;
};

/** As JSON, with what no serializer writes. */
export function toJson(value: unknown): string {
  const text = JSON.stringify(value) ?? 'null';
  return text.replaceAll(`"${DEEP}"`, DEEP_JSON).replaceAll(`"${PROTO}"`, '"__proto__"');
}

/** What a path or a query may have between two slashes, encoded or deliberately not. */
export const hostileSegment: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: hostileText.map((text) => encoded(text.slice(0, 2000))) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '%2F',
      'a%2Fb',
      '%2E%2E%2F',
      '%00',
      '%FF%FE',
      '%',
      '%E0%A4',
      '%ED%A0%80',
      '%25',
    ),
  },
);

export const sampled = <T>(arbitrary: fc.Arbitrary<T>, count: number, turn: number): T[] =>
  fc.sample(arbitrary, { seed: SEED + turn, numRuns: count });

/** Lone surrogates go as the bytes that they would be. */
const encoded = (text: string): string =>
  [...text].map((one) => (one.isWellFormed() ? encodeURIComponent(one) : '%ED%A0%80')).join('');

interface Place {
  in: Record<string, unknown>;
  key: string;
}

function placesOf(root: Record<string, unknown>): Place[] {
  const found: Place[] = [];
  const left: Record<string, unknown>[] = [root];
  for (let next = left.pop(); next; next = left.pop()) {
    for (const [key, value] of Object.entries(next)) {
      found.push({ in: next, key });
      if (typeof value === 'object' && value !== null) left.push(value as Record<string, unknown>);
    }
  }
  return found;
}

function put(place: Place | undefined, value: unknown): void {
  if (place) place.in[place.key] = value;
}
