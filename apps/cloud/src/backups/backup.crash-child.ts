/** Started by the test, and killed by it: makes backups of a folder one after the other, as a server does. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { writeBackup } from './backup.archive.ts';
import { placeAt } from './backup.places.ts';
import { backupName } from './retention.ts';

const [from = '', to = '', recipient = '', start = '0'] = process.argv.slice(2);
const sources = readdirSync(from).map((name) => ({ name, path: join(from, name) }));
const place = await placeAt(to);
// Names have seconds: those of one process are an hour from those of the next.
for (let second = Number(start) * 3600; ; second++) {
  const at = new Date(Date.now() + second * 1000);
  await writeBackup(place, backupName(at), { recipients: [recipient], sources, at });
  process.stdout.write('.');
}
