import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseStorable, storableJson, storableText } from './storable.ts';

const hostile = fc.oneof(
  fc.constantFrom(
    '\0',
    'a\0b',
    '\\u0000',
    '\\\\u0000',
    '\ud800',
    'a\udfff',
    '\\ud800',
    '😀',
    '"\\"',
    '\u0001',
  ),
  fc.string({ unit: 'binary', maxLength: 8 }),
);

test('texts and keys lose what no store takes, and nothing else', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(hostile, hostile), { maxLength: 5 }), (texts) => {
      const value = { list: texts, ...Object.fromEntries(texts.map(([key], at) => [`${at}${key}`, at])) };
      const clean = {
        list: texts.map((pair) => pair.map(storableText)),
        ...Object.fromEntries(texts.map(([key], at) => [storableText(`${at}${key}`), at])),
      };
      expect(JSON.parse(storableJson(value))).toEqual(clean);
      expect(parseStorable(JSON.stringify(value))).toEqual(clean);
    }),
  );
});
