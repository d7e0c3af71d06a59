import { main } from '@albedo/plugin-kit/run-plugin';
import { mqttPlugin } from './mqtt.plugin.ts';

await main(mqttPlugin);
