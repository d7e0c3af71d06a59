/** Changes what it is told, and is killed at the step that is named. */
import { rootAt } from '../root.ts';
import { type Change, changeAtOnce } from './at-once.ts';

const [prefix = '', todo = '', at = ''] = process.argv.slice(2);
changeAtOnce(rootAt(prefix), JSON.parse(todo) as Change, (step) => {
  if (step === at) process.kill(process.pid, 'SIGKILL');
});
