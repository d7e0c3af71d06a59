import type { Field, Scenario } from '@albedo/contract/devices/meta.schema';
import type { AgentConfig } from '../config/config.read.ts';

/**
 * What the agent says it captures. Shared lists of the configuration stand once under their anchor; a found scenario
 * whose fields equal those of an earlier one of the same table refers to it as `<table>.<source>`.
 */
export function buildMeta(config: AgentConfig, dynamic: Scenario[]): Record<string, unknown> {
  return {
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    run: config.run.map(compactStatic),
    tail: config.tail.map(compactStatic),
    watch: config.watch,
    unix_socket: config.unix_socket.map(compactStatic),
    dynamic: compactDynamic(dynamic),
    dynamic_tail: config.dynamic_tail,
    run_dir: config.run_dir,
    ...config.anchors,
  };
}

function compactStatic<T extends { fieldAnchor?: string; fields?: Field[] | undefined }>(
  scenario: T,
): object {
  if (scenario.fieldAnchor === undefined) return scenario;
  const { fields: _shared, ...rest } = scenario;
  return rest;
}

function compactDynamic(scenarios: Scenario[]): Scenario[] {
  const first = new Map<string, string>();
  const seen = new Set<string>();
  const compact: Scenario[] = [];
  for (const scenario of scenarios) {
    const name = `${scenario.table}.${scenario.source}`;
    if (seen.has(name)) continue;
    seen.add(name);
    const list = `${scenario.table}\n${JSON.stringify(scenario.fields)}`;
    const earlier = first.get(list);
    if (earlier === undefined) first.set(list, name);
    compact.push(earlier === undefined ? scenario : { ...scenario, fields: earlier });
  }
  return compact;
}
