import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** What the demo itself needs of the environment; everything else passes through to the cloud, which checks it. */
export interface DemoSettings {
  host: string;
  port: number;
  mqttPort: number;
  publicUrl: string;
  dataDir: string;
  ownerEmail: string;
  /** The operator chose the password, so it is not shown. */
  isPasswordChosen: boolean;
  /** Engines and broker run elsewhere. */
  isBrokerServed: boolean;
}

export const REPOSITORY = resolve(import.meta.dirname, '../..');

export function readSettings(env: NodeJS.ProcessEnv): DemoSettings {
  const port = Number(env.ALBEDO_PORT || 8080);
  return {
    host: env.ALBEDO_HOST || '127.0.0.1',
    port,
    mqttPort: Number(env.ALBEDO_MQTT_PORT || 8883),
    publicUrl: env.ALBEDO_PUBLIC_URL || `http://localhost:${port}`,
    dataDir: resolve(env.ALBEDO_DATA || './data'),
    ownerEmail: env.ALBEDO_OWNER_EMAIL || 'owner@albedo.local',
    isPasswordChosen: Boolean(env.ALBEDO_OWNER_PASSWORD),
    isBrokerServed: Boolean(env.MQTT_URL),
  };
}

/** A program of this tree: what `npm run build` made of it when that is there, since it starts faster, else its source. */
export function programOf(workspace: string, bundle: string): string {
  const built = join(REPOSITORY, workspace, 'dist', bundle);
  return existsSync(built) ? built : join(REPOSITORY, workspace, 'src/main.ts');
}
