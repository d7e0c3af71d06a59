import { expect, test } from 'vitest';
import { emailIn } from './person.ts';

test('an address is one in small letters', () => {
  expect(emailIn(' Kate@Example.org ')).toBe('kate@example.org');
});

test.each([
  ['\u212aate@example.org', 'the sign of kelvin, whose small letter is a k'],
  ['kate@ex\u0430mple.org', 'a Cyrillic letter'],
  ['kate\uff20example.org', 'a wide @'],
  ['kate@example.org\0', 'a character that cannot be kept'],
  ['kate@example.org\nbcc:x@example.org', 'two lines'],
  ['kate@example.org@evil.example', 'two domains'],
  ['Kate <kate@example.org>', 'a name before it'],
])('%j is none: %s', (text) => {
  expect(emailIn(text)).toBeNull();
});
