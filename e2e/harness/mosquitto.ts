import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openAuthority } from '@albedo/pki/authority';
import { Program } from './processes.ts';

const PROGRAM = '/usr/sbin/mosquitto';
const DEPLOY = join(import.meta.dirname, '../../deploy/mosquitto');

export const hasMosquitto = existsSync(PROGRAM);
if (!hasMosquitto)
  console.log('Skipped: everything with Mosquitto, which is not installed (apt-get install mosquitto).');

/**
 * Debian's Mosquitto as a process of its own, with the configuration of deploy/mosquitto, for the cloud whose data
 * folder is `data`. The cloud's certificate authority is made here when it is not there yet.
 */
export async function mosquittoFor(data: string, folder: string, port: number): Promise<Program> {
  mkdirSync(folder, { recursive: true });
  const authority = await openAuthority(join(data, 'ca'));
  const server = await authority.serverCertificate(['localhost', '127.0.0.1']);
  const file = (name: string, text: string) => writeFileSync(join(folder, name), text);
  file('server.crt', server.certPem);
  file('server.key', server.keyPem);
  file('albedo.acl', readFileSync(join(DEPLOY, 'albedo.acl'), 'utf8'));
  // Both are the cloud's to write, and it does so at every start; Mosquitto needs them a moment before.
  writeFileSync(join(data, 'ca/ca.crt'), authority.caPem);
  if (!existsSync(join(data, 'ca/crl.pem')))
    writeFileSync(join(data, 'ca/crl.pem'), await authority.revocationList([]));
  const conf = readFileSync(join(DEPLOY, 'albedo.conf'), 'utf8')
    .replace('listener 8883', `listener ${port} 127.0.0.1\nuser root`)
    .replace('/etc/mosquitto/albedo/ca.crt', join(data, 'ca/ca.crt'))
    .replace('/etc/mosquitto/albedo/crl.pem', join(data, 'ca/crl.pem'))
    .replaceAll('/etc/mosquitto/albedo/', `${folder}/`)
    .replace('/var/lib/mosquitto/', `${folder}/`);
  file('albedo.conf', conf);
  return new Program('mosquitto', ['-c', join(folder, 'albedo.conf')], {}, PROGRAM);
}
