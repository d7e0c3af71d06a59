import type { Camera, Photo } from '@albedo/contract/photos/photos.schema';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { buildDevice } from '../../app/test-device.ts';
import { type Exchange, fakeNetwork, showScreen, signInAs } from '../../app/test-screen.tsx';
import { PhotosPage } from './photos-page.tsx';
import { PhotosTab } from './photos-tab.tsx';
import { readPhotosAddress } from './use-photos-address.ts';

const roof = { ...buildDevice('Roof'), id: '6f9619ff-8b86-4d01-b42d-00c04fc964ff' };
const AT = Date.UTC(2026, 2, 1, 12);
const photoAt = (minute: number, source = 'east'): Photo => ({
  id: `00000000-0000-4000-8000-0000000000${String(minute).padStart(2, '0')}`,
  deviceId: roof.id,
  source,
  table: 'photos',
  file: `${minute}.jpg`,
  takenAt: AT + minute * 60_000,
  storedAt: AT,
  type: 'image/jpeg',
  size: 2048,
  width: 640,
  height: 480,
  sha256: '0'.repeat(64),
});
const camera = (source: string): Camera => ({
  deviceId: roof.id,
  source,
  photos: 3,
  bytes: 1,
  firstAt: AT,
  lastAt: AT,
});
const PHOTOS = [photoAt(2), photoAt(1), photoAt(0)];

beforeEach(() => {
  URL.createObjectURL = () => 'blob:photo';
  URL.revokeObjectURL = () => {};
});

function network(
  over: (asked: Exchange) => { status?: number; body?: unknown } | undefined = () => undefined,
) {
  return fakeNetwork((asked) => {
    const own = over(asked);
    if (own) return own;
    const { path } = asked;
    if (path.endsWith('/cameras')) return { body: [camera('east'), camera('gate')] };
    if (path.endsWith('/slideshow')) return { body: { frames: PHOTOS.toReversed(), total: 3 } };
    if (path.includes('/photos/demo')) return { body: { photos: PHOTOS, after: null } };
    if (path.includes('/uploads/')) return { body: 'bytes' };
    return { body: [roof] };
  });
}

const address = `/photos?tz=utc&range=all-time`;
const title = (minute: number) => `Roof · east, Mar 1, 2026 12:0${minute}:00`;
const tile = (minute: number) => `12:0${minute} ${title(minute)}`;

test('photos stand day by day, and one opens with its time; the arrow keys go on', async () => {
  signInAs();
  network();
  await showScreen(<PhotosPage />, address);
  expect(await screen.findByRole('heading', { name: 'Mar 1, 2026' })).toBeTruthy();
  await userEvent.click(await screen.findByRole('button', { name: tile(1) }));
  const dialog = await screen.findByRole('dialog', { name: title(1) });
  expect(await within(dialog).findByRole('img', { name: title(1) })).toBeTruthy();
  expect(within(dialog).getByText('2 of 3')).toBeTruthy();
  expect(within(dialog).getByText(/640 × 480 pixels/)).toBeTruthy();
  await userEvent.keyboard('{ArrowRight}');
  expect(await screen.findByRole('dialog', { name: title(2) })).toBeTruthy();
  await userEvent.keyboard('{Home}');
  expect(await screen.findByRole('dialog', { name: title(0) })).toBeTruthy();
});

test('a slideshow asks for one camera, and plays its photos from the first to the last', async () => {
  signInAs();
  const asked = network();
  await showScreen(<PhotosPage />, address);
  const play = await screen.findByRole<HTMLButtonElement>('button', { name: 'Slideshow' });
  await screen.findByRole('button', { name: tile(0) });
  expect(play.disabled).toBe(true);
  await userEvent.click(screen.getByRole('combobox', { name: 'Camera' }));
  await userEvent.click(await screen.findByRole('option', { name: 'Roof · east' }));
  await vi.waitFor(() =>
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Slideshow' }).disabled).toBe(false),
  );
  await userEvent.click(screen.getByRole('button', { name: 'Slideshow' }));
  expect(await screen.findByText('1 of 3')).toBeTruthy();
  expect(await screen.findByText('3 of 3', {}, { timeout: 8000 })).toBeTruthy();
  expect(await screen.findByRole('button', { name: 'Play' }, { timeout: 4000 })).toBeTruthy();
  const sent = asked.find(({ path }) => path.endsWith('/slideshow'))?.body;
  expect(sent).toMatchObject({ identifier: 'east' });
});

test('whoever manages devices deletes a photo after a question; others do not see the button', async () => {
  signInAs();
  const asked = network(({ method }) => (method === 'DELETE' ? { body: {} } : undefined));
  await showScreen(<PhotosPage />, `${address}&photo=${PHOTOS[0]?.id}`);
  await userEvent.click(await screen.findByRole('button', { name: 'Delete photo' }));
  const question = await screen.findByText(/will be deleted for everybody/);
  const dialog = question.closest('[role="dialog"]') as HTMLElement;
  await userEvent.click(within(dialog).getByRole('button', { name: 'Delete photo' }));
  await vi.waitFor(() =>
    expect(asked.find(({ method }) => method === 'DELETE')?.path).toContain(`/uploads/${PHOTOS[0]?.id}`),
  );
});

test('a workgroup without photos is told how to get some, and a failure can be tried again', async () => {
  signInAs();
  network(({ path }) => {
    if (path.endsWith('/cameras')) return { body: [] };
    return path.includes('/photos/demo') ? { body: { photos: [], after: null } } : undefined;
  });
  await showScreen(<PhotosPage />, address);
  expect(await screen.findByText('No photos yet')).toBeTruthy();
  expect(screen.getByText(/send_file: true/)).toBeTruthy();
});

test('photos that cannot be loaded say why', async () => {
  signInAs();
  network(({ path }) =>
    path.includes('/photos/demo?') || path.endsWith('/photos/demo')
      ? { status: 400, body: { code: 400, message: 'The store is tired.', error: 'request.invalid' } }
      : undefined,
  );
  await showScreen(<PhotosPage />, address);
  expect(await screen.findByText('The store is tired.')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy();
});

test('the tab of a device shows its own photos by camera alone', async () => {
  signInAs();
  const asked = network();
  await showScreen(<PhotosTab device={roof} />, address);
  expect(await screen.findByRole('button', { name: '12:01 east, Mar 1, 2026 12:01:00' })).toBeTruthy();
  expect(asked.some(({ path }) => path.includes('/photos/demo'))).toBe(true);
});

test('an address with an event means fifteen minutes before and after it', () => {
  const { time } = readPhotosAddress({ event: '2026-03-01T12:00Z' });
  expect(time.range).toEqual({ kind: 'absolute', from: AT - 900_000, to: AT + 900_000 });
  expect(readPhotosAddress({ event: 'yesterday' }).time.range).toEqual({
    kind: 'preset',
    preset: 'last-7-days',
  });
});
