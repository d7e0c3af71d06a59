/** A cloud in this process, the real agent of one device beside it, and the owner in a browser, for the tests of one file. */
import type { SocketReply } from '@albedo/contract/sockets/action';
import { afterAll, beforeAll } from 'vitest';
import { BrowserSocket } from '../../apps/cloud/src/testing/browser-socket.ts';
import { startTestCloud, type TestCloud } from '../../apps/cloud/src/testing/test-cloud.ts';
import { type RealAgent, startRealAgent } from './real-agent.ts';

export let cloud: TestCloud;
export let agent: RealAgent;
/** The owner's. */
export let token = '';
export let browser: BrowserSocket;

/** Starts all three before the tests of a file; `prepare` sees the cloud before the agent does. */
export function withDevice(name: string, prepare: (cloud: TestCloud) => void = () => {}): void {
  beforeAll(async () => {
    cloud = await startTestCloud();
    prepare(cloud);
    token = await cloud.owner();
    agent = await startRealAgent(cloud, name);
    browser = await new BrowserSocket(cloud, { token, orgName: 'main' }).connected();
  }, 180_000);
  afterAll(async () => {
    browser?.close();
    await agent?.stop();
    await cloud?.stop();
  });
}

export const onDevice = (path: string): string => `devices/main/${agent.device.id}/${path}`;
/** An action of the socket, asked of the device. */
export const ask = (action: string, request: object): Promise<SocketReply> =>
  browser.call(action, { deviceId: agent.device.id, ...request });
