import { newCameraCommand } from '@albedo/contract/photos/camera-moves';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { buildDevice } from '../../app/test-device.ts';
import { type Exchange, fakeNetwork, showScreen, signInAs } from '../../app/test-screen.tsx';
import { CameraControl } from './camera-control.tsx';

const DEVICE = '6f9619ff-8b86-4d01-b42d-00c04fc964ff';
const COMMAND = 'a8098c1a-f86e-41da-bd1a-00112444be1e';
const RUN = '7d444840-9dc0-41d1-b245-5ffdce74fad2';
const { isForAll: _all, ...steer } = newCameraCommand('Steer camera', true);
const command = { ...steer, _id: COMMAND, device: null };
const AT = Date.UTC(2026, 2, 1, 12);
const photo = {
  ...{ id: '00000000-0000-4000-8000-000000000001', deviceId: DEVICE, source: 'east', table: 'photos' },
  ...{ file: 'a.jpg', takenAt: AT, storedAt: AT, type: 'image/jpeg', sha256: '0'.repeat(64) },
  ...{ size: 1, width: 4, height: 3 },
};
const outcome = {
  deviceId: DEVICE,
  state: 'done',
  stdout: '',
  stderr: '',
  returnCode: 0,
  error: null,
  tookMs: 9,
};

beforeEach(() => {
  URL.createObjectURL = () => 'blob:photo';
  URL.revokeObjectURL = () => {};
});

interface World {
  online?: boolean;
  commands?: object[];
  outcomes?: object[];
}

function network({ online = true, commands = [command], outcomes = [outcome] }: World = {}) {
  const device = buildDevice('Roof');
  const list = [{ ...device, id: DEVICE, facts: { ...device.facts, online } }];
  const saved = [...commands];
  return fakeNetwork(({ method, path, body }: Exchange) => {
    if (path.endsWith('/run')) return { body: { id: RUN } };
    if (path.includes('/command-runs/')) return { body: outcomes };
    if (path.endsWith('/device/commands')) return { body: saved };
    if (path.endsWith('/commands') && method === 'POST') {
      const made = { ...(body as object), _id: COMMAND, device: null };
      saved.push(made);
      return { body: made };
    }
    if (path.includes('/photos/')) return { body: { photos: [photo], after: null } };
    return path.includes('/uploads/') ? { body: 'bytes' } : { body: list };
  });
}

const show = () => showScreen(<CameraControl wg="demo" device={DEVICE} source="east" zone="UTC" />);
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));
const runs = (asked: Exchange[]) =>
  asked.filter(({ path }) => path.endsWith('/run')).map(({ body }) => body as { values: object });

test('a camera is asked for once, and then looks wherever a button or an arrow key says', async () => {
  signInAs();
  const asked = network();
  await show();
  expect(await screen.findByRole('img', { name: 'east, Mar 1, 2026 12:00:00' })).toBeTruthy();
  await press('Up and left');
  const dialog = await screen.findByRole('dialog', { name: 'Run command?' });
  const text = 'Are you sure you want to run the command Steer camera on device Roof?';
  expect(within(dialog).getByText(text)).toBeTruthy();
  expect(runs(asked)).toEqual([]);
  await userEvent.click(within(dialog).getByRole('button', { name: 'Run command' }));
  expect(await screen.findByText('Done. A photo of it follows.')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Home' }));
  expect(await screen.findByText('Done. A photo of it follows.')).toBeTruthy();
  await userEvent.keyboard('{ArrowRight}');
  expect(await screen.findByText('Done. A photo of it follows.')).toBeTruthy();
  expect(runs(asked)).toEqual(
    ['up-left', 'home', 'right'].map((action) => ({
      devices: [DEVICE],
      values: { camera: 'east', action },
    })),
  );
});

test('what the camera says stands below the buttons', async () => {
  signInAs();
  network({
    outcomes: [{ ...outcome, state: 'failed', returnCode: 1, stderr: 'x\nthe camera cannot be moved\n' }],
  });
  await show();
  await press('Take photo');
  await press('Run command');
  expect(await screen.findByText('the camera cannot be moved')).toBeTruthy();
});

test('an offline device moves nothing, and says why', async () => {
  signInAs();
  network({ online: false });
  await show();
  const up = await screen.findByRole<HTMLButtonElement>('button', { name: 'Up' });
  expect(up.disabled).toBe(true);
  expect(screen.getByText('The device of this camera is offline.')).toBeTruthy();
});

test('who may not run commands sees the photo alone', async () => {
  signInAs({
    scopes: { demo: { role: 'readonly', permissions: [], ps: 'rd', devGroup: null, scopes: { device: [] } } },
  });
  const asked = network();
  await show();
  expect(await screen.findByRole('img', { name: /^east/ })).toBeTruthy();
  expect(screen.queryByRole('button')).toBeNull();
  expect(asked.some(({ path }) => path.endsWith('/commands'))).toBe(false);
});

test('without a saved command it is set up with one press', async () => {
  signInAs();
  const asked = network({ commands: [] });
  await show();
  await press('Set up camera control');
  expect(await screen.findByRole('group', { name: 'Directions' })).toBeTruthy();
  const made = asked.find(({ method, path }) => method === 'POST' && path.endsWith('/commands'))?.body;
  expect(made).toMatchObject({ name: 'Steer camera', command: 'camera_albedo steer {camera} {action}' });
});
