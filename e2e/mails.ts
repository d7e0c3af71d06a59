import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { OUTBOX } from './place.ts';

/** The link below `path` in the newest mail to the address, once there is one. */
export async function linkFor(address: string, path: string): Promise<string> {
  await expect.poll(() => newestLink(address, path)).not.toBeNull();
  return newestLink(address, path) ?? '';
}

function newestLink(address: string, path: string): string | null {
  for (const name of mailsIn(OUTBOX).toSorted().toReversed()) {
    const mail = readFileSync(join(OUTBOX, name), 'utf8')
      .replace(/=\r?\n/g, '')
      .replaceAll('=3D', '=');
    const link = new RegExp(`https?://[^\\s"<]*${path}/[^\\s"<]*`).exec(mail)?.[0];
    if (link && mail.includes(`To: ${address}`)) return link;
  }
  return null;
}

function mailsIn(outbox: string): string[] {
  try {
    return readdirSync(outbox).filter((name) => name.endsWith('.eml'));
  } catch {
    // Made with the first mail.
    return [];
  }
}
