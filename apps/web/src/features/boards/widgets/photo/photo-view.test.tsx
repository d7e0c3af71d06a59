import type { Photo } from '@albedo/contract/photos/photos.schema';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { fakeNetwork, showScreen, signInAs } from '../../../../app/test-screen.tsx';
import { type BoardContext, BoardRoom } from '../../board-context.ts';
import { PhotoView } from './photo-view.tsx';

const DEVICE = '5f0c8a8e-4b7f-4f7e-9f0b-0e9d6a6d1c11';
const AT = Date.UTC(2026, 4, 1, 8);
const photoAt = (n: number): Photo => ({
  ...{ id: `00000000-0000-4000-8000-00000000000${n}`, deviceId: DEVICE, source: 'east', table: 'photos' },
  ...{ file: 'a.jpg', takenAt: AT + n * 60_000, storedAt: AT, type: 'image/jpeg', sha256: '0'.repeat(64) },
  ...{ size: 1, width: 4, height: 3 },
});

beforeEach(() => {
  URL.createObjectURL = () => 'blob:photo';
  URL.revokeObjectURL = () => {};
});

async function show(settings: object, address = '/', more: Partial<BoardContext> = {}) {
  signInAs();
  const asked = fakeNetwork(({ path }) => {
    if (path.endsWith('/slideshow')) return { body: { frames: [photoAt(0), photoAt(1)], total: 2 } };
    return path.includes('/uploads/') ? { body: 'bytes' } : { body: { photos: [photoAt(1)], after: null } };
  });
  const board = {
    wg: 'demo',
    zone: 'UTC',
    isDisplay: false,
    span: { from: AT, to: AT + 1 },
    ...more,
  } as BoardContext;
  const props = { item: { id: 'a', kind: 'photo' }, title: '', width: 1, height: 1 } as never;
  const given = { camera: `${DEVICE}.east`, show: 'newest', event: '', minutes: 15, ...settings } as never;
  await showScreen(
    <BoardRoom value={board}>
      <PhotoView {...(props as object as Parameters<typeof PhotoView>[0])} settings={given} />
    </BoardRoom>,
    address,
  );
  return asked;
}

test('the newest photo of a camera stands with its time', async () => {
  await show({});
  expect(await screen.findByRole('img', { name: 'east, May 1, 2026 08:01:00' })).toBeTruthy();
});

test('photos of the range of the board are played from the first one', async () => {
  const asked = await show({ show: 'ofRange' });
  expect(await screen.findByText('May 1, 2026 08:01:00')).toBeTruthy();
  expect(asked.find(({ path }) => path.endsWith('/slideshow'))?.body).toEqual({
    ...{ identifier: 'east', startTime: AT, endTime: AT + 1 },
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Play' }));
  expect(await screen.findByText('May 1, 2026 08:00:00')).toBeTruthy();
  await vi.waitFor(() => expect(screen.getByText('May 1, 2026 08:01:00')).toBeTruthy(), { timeout: 4000 });
});

test('around an event of the address means fifteen minutes before and after it', async () => {
  const asked = await show(
    { show: 'aroundEvent' },
    `/?event=${encodeURIComponent(new Date(AT).toISOString())}`,
  );
  expect(await screen.findByRole('img')).toBeTruthy();
  expect(asked.find(({ path }) => path.endsWith('/slideshow'))?.body).toEqual({
    ...{ identifier: 'east', startTime: AT - 900_000, endTime: AT + 900_000 },
  });
});

test('without an event, or without a camera, it says what is missing', async () => {
  await show({ show: 'aroundEvent' });
  expect(await screen.findByText(/has no event/)).toBeTruthy();
});

test('on a display it says that it is not shown there', async () => {
  await show({}, '/', { isDisplay: true });
  expect(await screen.findByText('This widget is not shown on displays.')).toBeTruthy();
});
