import type { SecurityJob } from '@albedo/contract/security-services/security-services.schema';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { fakeNetwork, showScreen, signInAs } from '../../app/test-screen.tsx';
import { ScanList } from './scan-list.tsx';

const [ROOF, YARD, JOB] = [
  '6f9619ff-8b86-4d01-b42d-00c04fc964ff',
  '6f9619ff-8b86-4d01-b42d-00c04fc964f0',
  '6f9619ff-8b86-4d01-b42d-00c04fc964f1',
] as const;
const AT = Date.parse('2026-11-28T00:01:00Z');

const scan = {
  ...{ _id: JOB, startedAt: AT - 60_000, endedAt: AT, outcome: 'complete', reason: null, by: null },
  ...{ target: '192.168.1.0/24', new: 1, changed: 0, known: 0, gone: 0 },
} as const;
const job = {
  ...{ _id: JOB, task: 'internal', deviceId: ROOF, deviceName: 'Roof', enabled: true, state: 'idle' },
  ...{ jobIds: { external: null, internal: JOB }, nextAt: AT, lastScan: scan, unaccepted: 1 },
} as SecurityJob;
const finding = {
  ...{ key: '00:1b:21:3a:4f:10', state: 'new', description: 'Intel Corporate', before: null },
  ...{ addresses: ['192.168.1.20'], knownSince: AT, lastSeenAt: AT, goneAt: null, accepted: null },
};

/** A server with two devices on sites, of which one was scanned, and one in the cloud. */
function server() {
  let now = job;
  const asked = fakeNetwork(({ method, path, body }) => {
    if (path.endsWith('/devices/demo'))
      return {
        body: [
          { id: ROOF, name: 'Roof', ced: false },
          { id: YARD, name: 'Yard', ced: false },
          { id: JOB, name: 'In the cloud', ced: true },
        ],
      };
    if (path.endsWith('/run')) {
      now = { ...job, state: 'scheduled' };
      return { body: { message: 'Scan scheduled', jobIds: [JOB] } };
    }
    if (path.endsWith('/findings')) {
      const accepted = { note: (body as { note: string }).note, by: 'zoe@example.org', at: AT };
      now = { ...job, unaccepted: 0 };
      return { body: { job: now, findings: [{ ...finding, accepted }], scans: [scan] } };
    }
    if (path.endsWith(`/jobs/${JOB}`)) return { body: { job: now, findings: [finding], scans: [scan] } };
    return { body: method === 'POST' ? [{ ...job, deviceId: YARD, deviceName: 'Yard' }] : [now] };
  });
  return asked;
}
const rowOf = async (name: string) => {
  const row = (await screen.findByText(name)).closest('[role=row]');
  if (!row) throw new Error(`there is no row of ${name}`);
  return within(row as HTMLElement);
};

beforeEach(() => signInAs());

test('a scan that is run waits in the queue, and cannot be run again meanwhile', async () => {
  const asked = server();
  await showScreen(<ScanList />, '/?kind=internal');
  const play = (await rowOf('Roof')).getByRole('button', { name: 'Run the scan of Roof' });
  await userEvent.click(play);
  expect(await screen.findByText('Scan scheduled')).toBeTruthy();
  expect(asked.find(({ path }) => path.endsWith('/run'))?.body).toEqual({ jobIds: [JOB] });
  await vi.waitFor(async () => {
    const again = (await rowOf('Roof')).getByRole('button', { name: 'Run the scan of Roof' });
    expect((again as HTMLButtonElement).disabled).toBe(true);
  });
  expect(screen.queryByText('In the cloud')).toBeNull();
});

test('a device is switched on where it never was scanned', async () => {
  const asked = server();
  await showScreen(<ScanList />, '/?kind=internal');
  await userEvent.click((await rowOf('Yard')).getByRole('switch', { name: 'Scan Yard every week' }));
  const sent = () => asked.find(({ method }) => method === 'POST');
  await vi.waitFor(() => expect(sent()?.body).toEqual({ devices: [YARD], enabled: true }));
  expect(sent()?.path).toMatch(/process\/demo\/task\/internal\/jobs$/);
});

test('the result of a scan stands at an address of its own, and a host is accepted with a note', async () => {
  const asked = server();
  await showScreen(<ScanList />, `/?kind=internal&scan=${ROOF}`);
  expect(await screen.findByText('192.168.1.20')).toBeTruthy();
  expect(screen.getByText('New · 1')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Accept 00:1b:21:3a:4f:10' }));
  const note = await screen.findByRole('textbox', { name: 'Why is this fine?' });
  const dialog = within(note.closest('form') as HTMLElement);
  await userEvent.click(dialog.getByRole('button', { name: 'Accept' }));
  expect(await screen.findByText('Required')).toBeTruthy();
  await userEvent.type(note, 'The new logger');
  await userEvent.click(dialog.getByRole('button', { name: 'Accept' }));
  const sent = () => asked.find(({ path }) => path.endsWith('/findings'))?.body;
  await vi.waitFor(() => expect(sent()).toEqual({ keys: [finding.key], note: 'The new logger' }));
  expect(await screen.findByText('The new logger')).toBeTruthy();
});
