/** Installs a package and is killed at one step; the test starts it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rootAt } from '../root.ts';
import { installPackage } from './plugin-install.ts';

const [prefix = '', from = '', name = '', version = '', dieAt = ''] = process.argv.slice(2);

await installPackage({
  root: rootAt(prefix),
  from,
  name,
  version,
  seed: readFileSync(join(prefix, 'etc/albedo/keys/plugins-root.json'), 'utf8'),
  onStep: (step) => {
    if (step === dieAt) process.kill(process.pid, 'SIGKILL');
  },
});
