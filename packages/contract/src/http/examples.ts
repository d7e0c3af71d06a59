import type { Endpoint } from './endpoint.ts';

/** An id of nothing, where an example needs one. */
const ID = '5f0c8a8e-4b7f-4f7e-9f0b-0e9d6a6d1c11';

/** What stands in the path of an example, by the name of the parameter; all others are ids. */
const PARAMS: Readonly<Record<string, string>> = {
  wg: 'main',
  orgName: 'main',
  table: 'data',
  key: 'info',
  token: 'the-token-of-the-link',
  addon: 'schedules',
  host: 'energy.example.org',
  kind: 'logo',
  thing: 'dashboard',
  plugin: 'modbus',
  name: 'modbus',
  version: '1',
  month: '2026-03-01',
  variable: 'VPN_USER',
  task: 'internal',
  report: 'energy',
  config: 'capacity-factor-config',
};

/** The parameters of an endpoint's path as an example has them. */
export function exampleParams({ url }: Pick<Endpoint, 'url'>): Record<string, string> {
  const names = [...url.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  return Object.fromEntries(
    names.map((name) => [name, Object.hasOwn(PARAMS, name) ? (PARAMS[name] ?? ID) : ID]),
  );
}
