/** Restores, and is killed at the step that is named. */
import { readFileSync } from 'node:fs';
import { rootAt } from '../root.ts';
import { type Journal, restore } from './restore.ts';

const [prefix = '', todo = '', at = ''] = process.argv.slice(2);
restore(rootAt(prefix), JSON.parse(readFileSync(todo, 'utf8')) as Journal, (step) => {
  if (step === at) process.kill(process.pid, 'SIGKILL');
});
