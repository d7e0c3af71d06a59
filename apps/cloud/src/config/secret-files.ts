import { readFileSync } from 'node:fs';

/** Variables that hold passwords: each may stand in a file instead, named by the variable with `_FILE` behind it. */
export const IN_FILES = [
  'DATABASE_URL',
  'CLICKHOUSE_URL',
  'MQTT_URL',
  'REDIS_URL',
  'SMTP_URL',
  'S3_URL',
  'ALBEDO_OWNER_PASSWORD',
  'ALBEDO_METRICS_TOKEN',
] as const;

/** The environment with the contents of those files in it, and what is wrong with them. */
export function withFiles(given: Readonly<Record<string, string | undefined>>): {
  env: Record<string, string | undefined>;
  faults: string[];
} {
  const env = { ...given };
  const faults: string[] = [];
  for (const name of IN_FILES) {
    const path = given[`${name}_FILE`];
    if (path === undefined) continue;
    if (given[name] !== undefined) faults.push(`only one of ${name} and ${name}_FILE may be given`);
    try {
      env[name] = readFileSync(path, 'utf8').trim();
    } catch {
      // The path is not repeated: somebody may have put the secret itself there.
      faults.push(`${name}_FILE must name a file that can be read`);
    }
  }
  return { env, faults };
}
