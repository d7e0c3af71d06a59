import { sentenceCase } from '../../ui/sentence-case.ts';

const SHORT: Readonly<Record<string, string>> = {
  ac: 'AC',
  cpu: 'CPU',
  dc: 'DC',
  gpu: 'GPU',
  id: 'ID',
  ip: 'IP',
  mem: 'memory',
  mqtt: 'MQTT',
  os: 'OS',
  pv: 'PV',
  ram: 'RAM',
  soc: 'SoC',
  utc: 'UTC',
};

/**
 * A field as people read it: `cpu_usage` is CPU usage. A name that was written for people stays as it is; so does one that
 * says nothing about where its words begin.
 */
export function fieldName(field: string): string {
  if (!/^[a-z][a-z0-9]*(_[a-z0-9]+)+$/.test(field)) return field;
  const words = field.split('_').map((word) => SHORT[word] ?? word);
  return sentenceCase(words.join(' '));
}
