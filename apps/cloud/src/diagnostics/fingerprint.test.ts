import { expect, test } from 'vitest';
import { browserName } from './browser-name.ts';
import { fingerprintOf, kindOfMessage, placeOf } from './fingerprint.ts';
import { OwnShare } from './own-share.ts';
import { pageName } from './page-name.ts';
import { scrubbed } from './scrubbed.ts';

const CHROME = `TypeError: t is not a function
    at a.renderRow (https://albedo.example/assets/device-table-Ab12Cd34.js:1:2345)
    at Ce (https://albedo.example/assets/react-xY_9-zab.js:12:99)
    at async queryFn (https://albedo.example/assets/call-00aaBBcc.js:3:4)`;

test('the same place in another build, in another browser and for another device is one', () => {
  const next = CHROME.replace('Ab12Cd34', 'Zz98Yy76')
    .replace(':1:2345', ':2:17')
    .replace('at a.', 'at q.')
    .replace('at Ce ', 'at Xf ');
  const firefox = `renderRow@https://albedo.example/assets/device-table-Ab12Cd34.js:1:2345
Ce@https://albedo.example/assets/react-xY_9-zab.js:12:99
async*queryFn@https://albedo.example/assets/call-00aaBBcc.js:3:4`;
  expect(placeOf(CHROME)).toBe('device-table.renderRow < react < call.queryFn');
  expect(placeOf(next)).toBe(placeOf(CHROME));
  expect(placeOf(firefox).split(' < ').slice(0, 2)).toEqual(['device-table.renderRow', 'react']);
  const place = placeOf(CHROME);
  expect(fingerprintOf('t is not a function', place)).toBe(fingerprintOf('q is not a function', place));
  expect(fingerprintOf('t is not a function', place)).not.toBe(fingerprintOf('t is not iterable', place));
  expect(fingerprintOf('t is not a function', '')).not.toBe(fingerprintOf('t is not a function', place));
});

test.each([
  ['Device 6f9619ff-8b86-4d01-b42d-00c04fc964ff has 17 sources', 'Device <id> has <n> sources'],
  ['Loading https://albedo.example/assets/x.js failed', 'Loading <url> failed'],
  ['No such part 3fa9c1d2e4b5', 'No such part <id>'],
  [
    "Cannot read properties of undefined (reading 'power')",
    "Cannot read properties of undefined (reading 'power')",
  ],
])('a message is the same whatever it names: %s', (message, kind) => {
  expect(kindOfMessage(message)).toBe(kind);
});

test.each([
  ['ask zoe.hill@example.org now', 'ask [address] now'],
  ['GET https://a.example/x?token=abc&q=1 failed', 'GET https://a.example/x failed'],
  ['at y (https://u:p@a.example/assets/x.js?v=1:10:20)', 'at y (https://a.example/assets/x.js:10:20)'],
  ['Bearer abcdefghijkl', 'Bearer [secret]'],
  ['password: "hunter2", rest', 'password: "[secret]", rest'],
  ['eyJhbGciOiJ9xx.eyJzdWIiOiIx.c2ln', '[secret]'],
  [`key ${'a1'.repeat(30)} is wrong`, 'key [secret] is wrong'],
  ['one\u202etwo\u0007', 'one two '],
  ['<img src=x onerror=alert(1)>', '<img src=x onerror=alert(1)>'],
])('nothing that opens something or names a person is kept of %s', (text, kept) => {
  expect(scrubbed(text)).toBe(kept);
});

test('a text that is made to take long does not', () => {
  for (const text of [
    '/'.repeat(8000),
    'a'.repeat(8000),
    'a@'.repeat(4000),
    'token'.repeat(1600),
    '1'.repeat(8000),
  ]) {
    const began = performance.now();
    fingerprintOf(scrubbed(text), placeOf(text));
    expect(performance.now() - began).toBeLessThan(1000);
  }
});

test('pages are counted without what is in their addresses', () => {
  const id = '6f9619ff-8b86-4d01-b42d-00c04fc964ff';
  expect(pageName(`/devices/${id}/data`, '/devices/$deviceId/data')).toBe('/devices/$deviceId/data');
  expect(pageName(`/devices/${id}/data`, undefined)).toBe('/devices/$id/data');
  // A name that does not fit the address is not believed.
  expect(pageName('/devices', '/a/$b')).toBe('/devices');
  expect(pageName('/devices', '/other')).toBe('/devices');
});

test('a browser is called by its name and main version, and a person adds so many kinds of things in a day', () => {
  const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
  expect(browserName(agent)).toBe('Firefox 140');
  expect(browserName('<script>')).toBe('Other');
  const share = new OwnShare(2);
  expect(['a', 'b', 'c', 'a'].map((kind) => share.takes('zoe', kind, 1))).toEqual([true, true, false, true]);
  expect(share.takes('tom', 'c', 1)).toBe(true);
  expect(share.takes('zoe', 'c', 2)).toBe(true);
});
