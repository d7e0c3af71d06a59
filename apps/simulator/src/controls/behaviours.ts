/** Ways in which real inverters obey badly; tests give them to single units. */
export const BEHAVIOURS = {
  ignores: 'leaves every write without an answer',
  slow: 'answers a write after three seconds',
  'function-6-only': 'refuses function 16',
  'function-16-only': 'refuses function 6',
  'changes-nothing': 'answers that all is well and changes nothing',
  'enable-edge': 'takes a new value only when the enable goes from 0 to 1',
  'rounds-up': 'knows limits of 0, 50 and 100 % alone, so that 15 becomes 50',
  'foreign-writer': 'has another controller that sets 80 % every ten minutes',
  'local-mode': 'is operated by somebody at its panel, and refuses writes',
  'factory-enabled': 'comes from the factory with its limit enabled at 100 %',
} as const;

export type Behaviour = keyof typeof BEHAVIOURS;

export const SLOW_MS = 3000;
export const FOREIGN_PERIOD_MS = 600_000;
export const FOREIGN_LIMIT_PCT = 80;

/** Reads `2=ignores`, as the command line has it. Throws an error that names what there is. */
export function parseBehaviour(text: string): { unit: number; behaviour: Behaviour } {
  const [unit = '', name = ''] = text.split('=');
  if (!/^\d+$/.test(unit) || !Object.hasOwn(BEHAVIOURS, name))
    throw new Error(`"${text}" is none such as 2=ignores; there are ${Object.keys(BEHAVIOURS).join(', ')}`);
  return { unit: Number(unit), behaviour: name as Behaviour };
}
