import { isMap, parseDocument, stringify } from 'yaml';

/** What a device tells of itself and nobody configures. Source: specification 2, section 3. */
const TOLD = ['timezone', 'dynamic'];

/** A configuration as it is saved: text, without what the device tells of itself. Everything else stays as it was written. */
export function savedConfig(config: string | Record<string, unknown>): string {
  if (typeof config !== 'string') {
    return stringify(Object.fromEntries(Object.entries(config).filter(([key]) => !TOLD.includes(key))));
  }
  const document = parseDocument(config);
  const { contents } = document;
  // What is no configuration goes as it is: the device says what is wrong with it, and where.
  if (document.errors.length > 0 || !isMap(contents)) return config;
  const isTold = TOLD.map((key) => contents.delete(key));
  return isTold.includes(true) ? document.toString({ lineWidth: 0 }) : config;
}
