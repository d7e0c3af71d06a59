import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';

/** The link below `path` in the newest mail to the address, once there is one. */
export async function linkFor(address: string, path: string): Promise<string> {
  await expect.poll(() => newestLink(address, path)).not.toBeNull();
  return newestLink(address, path) ?? '';
}

function newestLink(address: string, path: string): string | null {
  const outbox = join(process.env.ALBEDO_E2E_DATA ?? '', 'outbox');

  for (const name of mailsIn(outbox).toSorted().toReversed()) {
    const mail = readFileSync(join(outbox, name), 'utf8')
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
