/** Started by the test, and killed by it: makes backups of a folder one after the other, as a server does. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { writeBackup } from './backup.archive.ts';
import { placeAt } from './backup.places.ts';
import { backupName } from './retention.ts';

const [from = '', to = '', recipient = ''] = process.argv.slice(2);
const sources = readdirSync(from).map((name) => ({ name, path: join(from, name) }));
const place = await placeAt(to);
for (let second = 0; ; second++) {
  const at = new Date(Date.now() + second * 1000);
  await writeBackup(place, backupName(at), { recipients: [recipient], sources, at });
  process.stdout.write('.');
}
