import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { workgroupsApi } from '@albedo/contract/workgroups/workgroups.api';
import { test as base } from '@playwright/test';
import { Program, until } from './harness/processes.ts';
import { OWNER } from './owner.ts';
import { callerOf } from './people.ts';
import { BASE, DATA, PORTS } from './place.ts';

export interface ProductOptions {
  /** Whether the plants and agents of the demo run too; without them the demo's devices are there, and dark. */
  isLiving: boolean;
}

/** Tag of a journey that looks at what plants and machines send, and so needs the whole demo. */
export const LIVING = '@living';

const HOUSE = join(import.meta.dirname, '..');

/** Without plants the dashboard that the demo opens with has nothing to show. */
async function landOnDevices(): Promise<void> {
  const owner = await callerOf(OWNER);
  const params = { wg: 'demo', key: 'defaultPage' };
  await owner.call(workgroupsApi.setSetting, { params, body: { value: null } });
}

/** Each worker has a product of its own, from its first journey to its last. */
export const productTest = base.extend<object, ProductOptions & { product: Program }>({
  isLiving: [false, { option: true, scope: 'worker' }],
  product: [
    async ({ isLiving }, use) => {
      const product = new Program(
        'product',
        [join(HOUSE, isLiving ? 'demo/main.ts' : 'apps/cloud/src/main.ts')],
        {
          ALBEDO_DATA: DATA,
          ALBEDO_PORT: String(PORTS.http),
          ALBEDO_PUBLIC_URL: BASE,
          ALBEDO_MQTT_PORT: String(PORTS.mqtt),
          ALBEDO_OWNER_EMAIL: OWNER.email,
          ALBEDO_OWNER_PASSWORD: OWNER.password,
          ALBEDO_STAFF_DOMAINS: 'albedo.local',
          ALBEDO_ADDON_MANAGERS: OWNER.email,
          ALBEDO_DEMO: '1',
          // Journeys read from servers on this machine.
          ALBEDO_OUTBOUND_NETWORKS: '127.0.0.1',
          // Pages of machines: browsers know every name below it as this machine.
          ALBEDO_REMOTE_WEB_HOST: 'localhost',
          LOG_LEVEL: 'warn',
        },
      );
      product.start();
      const isReady = async () => product.isRunning && (await fetch(`${BASE}/readyz`)).ok;
      await until('the product is ready', 90, isReady, () => product.output);
      if (!isLiving) await landOnDevices();
      await use(product);
      await product.end('SIGTERM');
      rmSync(DATA, { recursive: true, force: true });
    },
    { scope: 'worker', auto: true, timeout: 240_000 },
  ],
});
