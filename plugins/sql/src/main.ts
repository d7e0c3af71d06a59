import { main } from '@albedo/plugin-kit/run-plugin';
import { sqlPlugin } from './sql.plugin.ts';

await main(sqlPlugin);
