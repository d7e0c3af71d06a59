import type { AlertScope } from '@albedo/contract/alerts/alerts.schema';
import type { Rule } from './alert-rules.ts';

/** The alerts over single rows of one table, found by the device of a row: most name the devices that they are about. */
export class TableRules {
  readonly #everywhere: Rule[] = [];
  readonly #byDevice = new Map<string, Rule[]>();

  add(rule: Rule): void {
    const devices = devicesIn(rule.content.scope);
    if (devices === null) this.#everywhere.push(rule);
    for (const device of devices ?? []) {
      const own = this.#byDevice.get(device);
      if (own) own.push(rule);
      else this.#byDevice.set(device, [rule]);
    }
  }

  /** Those that are about a source. */
  *of(device: string, source: string): Iterable<Rule> {
    for (const rule of this.#byDevice.get(device) ?? []) if (rule.inScope(device, source)) yield rule;
    for (const rule of this.#everywhere) if (rule.inScope(device, source)) yield rule;
  }
}

/** The devices that a scope names; null where it names something else. */
function devicesIn(scope: AlertScope): ReadonlySet<string> | null {
  if (scope.kind === 'devices') return new Set(scope.devices);
  if (scope.kind === 'sources') return new Set(scope.sources.map(({ device }) => device));
  return null;
}
