import { main } from '@albedo/plugin-kit/run-plugin';
import { weatherPlugin } from './weather.plugin.ts';

await main(weatherPlugin);
