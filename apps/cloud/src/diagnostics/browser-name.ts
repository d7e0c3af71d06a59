import { UAParser } from 'ua-parser-js';

/** The name and main version of a browser, such as `Firefox 140`; an unknown browser is `Other`. */
export function browserName(agent: string): string {
  const { name, major } = new UAParser(agent.slice(0, 500)).getBrowser();
  if (name === undefined || !/^[\w .]{1,30}$/.test(name)) return 'Other';
  return major !== undefined && /^\d{1,4}$/.test(major) ? `${name} ${major}` : name;
}
