import { main } from '@albedo/plugin-kit/run-plugin';
import { snmpPlugin } from './snmp.plugin.ts';

await main(snmpPlugin);
