import { newCameraCommand } from '@albedo/contract/photos/camera-moves';
import { screen } from '@testing-library/react';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { openInside, provideFeatures } from '../../../../app/inside.ts';
import { buildDevice } from '../../../../app/test-device.ts';
import { fakeNetwork, showScreen, signInAs } from '../../../../app/test-screen.tsx';
import { photos } from '../../../photos/photos.feature.ts';
import { type BoardContext, BoardRoom, InSight } from '../../board-context.ts';
import { CameraView } from './camera-view.tsx';

const DEVICE = '5f0c8a8e-4b7f-4f7e-9f0b-0e9d6a6d1c11';

// What is loaded on demand is there before a test waits for what it shows.
beforeAll(() => photos.parts.camera[0].Content.preload?.());
beforeEach(async () => {
  provideFeatures(async () => [photos]);
  await openInside();
  URL.createObjectURL = () => 'blob:photo';
  URL.revokeObjectURL = () => {};
});

async function show(camera: string | undefined, more: Partial<BoardContext> = {}, isInSight = true) {
  signInAs();
  const device = buildDevice('Roof');
  const asked = fakeNetwork(({ path }) => {
    if (path.endsWith('/device/commands')) {
      const { isForAll: _all, ...command } = newCameraCommand('Steer camera', true);
      return { body: [{ ...command, _id: DEVICE, device: null }] };
    }
    if (path.includes('/photos/')) return { body: { photos: [], after: null } };
    return { body: [{ ...device, id: DEVICE, facts: { ...device.facts, online: true } }] };
  });
  const board = { wg: 'demo', zone: 'UTC', isDisplay: false, isEditing: false, ...more } as BoardContext;
  const props = { item: { id: 'a', kind: 'camera' }, title: '', width: 1, height: 1 } as never;
  await showScreen(
    <BoardRoom value={board}>
      <InSight value={isInSight}>
        <CameraView {...(props as object as Parameters<typeof CameraView>[0])} settings={{ camera }} />
      </InSight>
    </BoardRoom>,
  );
  return asked;
}

test('a camera of a dashboard is steered there', async () => {
  await show(`${DEVICE}.east gate`);
  const up = await screen.findByRole<HTMLButtonElement>('button', { name: 'Up' });
  expect(up.disabled).toBe(false);
  expect(screen.getByText('This camera has sent no photos yet.')).toBeTruthy();
});

test('in the editor nothing moves', async () => {
  await show(`${DEVICE}.east`, { isEditing: true });
  expect((await screen.findByRole<HTMLButtonElement>('button', { name: 'Up' })).disabled).toBe(true);
});

test('without a camera it says that one has to be chosen', async () => {
  await show(undefined);
  expect(await screen.findByText('Choose a camera in the settings of this widget.')).toBeTruthy();
});

test('on a display it says that it is not shown there', async () => {
  await show(`${DEVICE}.east`, { isDisplay: true });
  expect(await screen.findByText('This widget is not shown on displays.')).toBeTruthy();
});

test('out of sight it asks for no photo', async () => {
  const asked = await show(`${DEVICE}.east`, {}, false);
  expect(asked.some(({ path }) => path.includes('/photos/'))).toBe(false);
});
