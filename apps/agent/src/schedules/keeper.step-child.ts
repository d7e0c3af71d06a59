/** Obeys an order below a folder, and is killed at the step that is named. */
import { join } from 'node:path';
import { createLog } from '../log.ts';
import { ScheduleKeeper } from './schedule-keeper.ts';
import type { VerifiedOrder } from './signed-order.ts';

const [folder = '', order = '', wall = '0', at = ''] = process.argv.slice(2);
const keeper = new ScheduleKeeper({
  stateFolder: join(folder, 'state'),
  schedules: () => join(folder, 'schedules'),
  log: createLog('error'),
  tell: () => {},
  wall: () => Number(wall),
  step: (name) => {
    if (name === at) process.kill(process.pid, 'SIGKILL');
  },
});
keeper.start();
if (order !== '') keeper.obey(JSON.parse(order) as VerifiedOrder);
keeper.stop();
