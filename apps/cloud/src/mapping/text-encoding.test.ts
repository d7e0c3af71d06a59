import { expect, test } from 'vitest';
import { encodingOf } from './text-encoding.ts';

test('letters that are no UTF-8 are those of Windows; a file that cannot be read is a fault', async () => {
  const chunks = async function* (error?: Error) {
    yield Buffer.from('Süd', 'latin1').subarray(0, error ? 1 : 3);
    if (error) throw error;
  };
  expect(await encodingOf(chunks())).toBe('windows-1252');
  await expect(encodingOf(chunks(new TypeError('The connection ended.')))).rejects.toThrow('connection');
});
