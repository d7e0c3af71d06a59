import { latestValuesApi } from '@albedo/contract/latest-values/latest-values.api';
import { expect, test, vi } from 'vitest';
import { fakeNetwork, signInAs } from '../../app/test-screen.tsx';
import { LiveValues } from './live-values.ts';

const STREAM = {
  deviceId: '5f0c8a8e-4b7f-4f7e-9f0b-0e9d6a6d1c11',
  table: 'solar',
  source: 'inv-01',
  field: 'AC Power',
};

test('what else is known of a stream is not asked for: the server takes what it knows alone', async () => {
  signInAs();
  const requests = fakeNetwork(() => ({ body: [{ value: 4200, eventAt: 1 }] }));
  const live = new LiveValues('demo');
  const changed = vi.fn();
  live.watch([{ ...STREAM, units: 'W', factor: 1 } as typeof STREAM], changed);
  await vi.waitFor(() => expect(changed).toHaveBeenCalled());
  expect(latestValuesApi.cached.schema.body.safeParse(requests.at(-1)?.body).error).toBeUndefined();
  expect(live.get(STREAM)).toEqual({ value: 4200, eventAt: 1 });
});
