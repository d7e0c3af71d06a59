import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from '@playwright/test';
import { Webhook } from 'standardwebhooks';
import { OWNER } from './owner.ts';
import { confirm, openAs, test } from './pages.ts';
import { bringIn, callerOf } from './people.ts';

const WILMA = { name: 'Wilma Hook', email: 'wilma.hook@example.org', password: 'a bell that rings twice' };

interface Received {
  headers: Record<string, string>;
  body: string;
}
const received: Received[] = [];
const receiver = createServer((request: IncomingMessage, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    const headers = Object.fromEntries(Object.entries(request.headers).map(([k, v]) => [k, String(v)]));
    received.push({ headers, body: Buffer.concat(parts).toString() });
    response.writeHead(204).end();
  });
});
test.beforeAll(() => new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done)));
test.afterAll(() => new Promise((done) => receiver.close(done)));

test('a coordinator has a program told of what happens: signed, tried, and turned off', async ({ page }) => {
  const owner = await callerOf(OWNER);
  const claims = JSON.parse(Buffer.from(owner.token.split('.')[1] ?? '', 'base64url').toString()) as {
    defaultWorkgroup: string;
  };
  await bringIn(OWNER, claims.defaultWorkgroup, WILMA, {
    role: 'admin',
    permissions: ['read', 'coordinate'],
  });
  await openAs(page, '/admin/workgroup/webhooks', 'Workgroup', WILMA);
  await page.getByRole('button', { name: 'New webhook' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'New webhook' });
  await dialog.getByLabel('Name', { exact: true }).fill('Tickets');
  await dialog.getByRole('checkbox', { name: 'Raised', exact: true }).check();
  // A private address is refused at its field.
  await dialog.getByLabel('Address', { exact: true }).fill('http://10.1.2.3/hook');
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(dialog.getByRole('textbox', { name: 'Address' })).toHaveAttribute('aria-invalid', 'true');
  const { port } = receiver.address() as AddressInfo;
  await dialog.getByLabel('Address', { exact: true }).fill(`http://127.0.0.1:${port}/hook`);
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();

  const secretDialog = page.getByRole('dialog', { name: 'Signing secret of Tickets' });
  const secret = (await secretDialog.getByText(/^whsec_/).textContent())?.trim() ?? '';
  await secretDialog.getByRole('button', { name: 'I have saved it' }).click();

  const row = page.getByRole('listitem').filter({ hasText: `127.0.0.1:${port}` });
  await row.getByRole('button', { name: 'Actions for Tickets' }).click();
  await page.getByRole('menuitem', { name: 'Send a test' }).click();
  await expect(page.getByText(/^Tickets accepted the test: status 204/)).toBeVisible();
  const [first] = received;
  // The check that any receiver does.
  expect(new Webhook(secret).verify(first?.body ?? '', first?.headers ?? {})).toMatchObject({
    type: 'test',
    workgroup: claims.defaultWorkgroup,
  });

  await row.getByRole('button', { name: 'Actions for Tickets' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await confirm(page);
  await expect(page.getByText('No webhooks')).toBeVisible();
});
