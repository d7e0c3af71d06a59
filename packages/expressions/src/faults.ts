/** What can be wrong with an expression; each name has a sentence below, and screens may have one in their language. */
const SENTENCES = {
  empty: 'Write an expression.',
  too_long: 'An expression has at most {{most}} characters.',
  too_deep: 'Brackets nest at most {{most}} deep.',
  too_large: 'An expression has at most {{most}} parts.',
  character: '“{{found}}” has no meaning here.',
  syntax: 'Something is missing or in the wrong place here.',
  ends_early: 'The expression ends before it is complete.',
  assignment: 'Write == to compare two values.',
  chain: 'Compare two values at a time and join the comparisons with “and”.',
  construct:
    'This is not part of the language: numbers, names, + - * / ^, comparisons, and, or, not, and functions.',
  missing_operator: 'An operator is missing here; only a unit may follow a number directly, as in 5 kW.',
  reserved: '“{{found}}” cannot be used as a name.',
  number: 'This number is too large.',
  unknown_name: 'No input is named “{{name}}”.',
  unknown_unit: '“{{name}}” is not a known unit.',
  unknown_function: 'There is no function “{{name}}”.',
  arguments: '“{{name}}” cannot take {{given}} arguments.',
  units_differ: '{{left}} and {{right}} cannot be combined here.',
  unit_left: 'A plain number is needed here, not {{unit}}.',
  exponent: 'The exponent of a value with a unit must be a whole number from -9 to 9.',
  digits: 'Give the digits to round to as a whole number from 0 to 10.',
  number_expected: 'A number is needed here, not a comparison.',
  truth_expected: 'A comparison is needed here, such as power > 5 kW.',
  result_unit: 'The result is in {{left}}, which cannot be shown in {{right}}.',
} as const;

export type FaultCode = keyof typeof SENTENCES;
export const FAULT_CODES = Object.keys(SENTENCES) as FaultCode[];

/** Where in the text: from character `at` up to and without `end`, counted from 0 in UTF-16 units. */
export interface Place {
  at: number;
  end: number;
}

/** What is wrong with an expression, and where. `text` says it in English; `facts` are the words to fill in. */
export interface Fault extends Place {
  code: FaultCode;
  facts: Readonly<Record<string, string | number>>;
  text: string;
}

export class ExpressionFault extends Error {
  readonly fault: Fault;

  constructor(code: FaultCode, { at, end }: Place, facts: Fault['facts'] = {}) {
    const text = SENTENCES[code].replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => String(facts[name] ?? ''));
    super(text);
    this.fault = { code, at, end, facts, text };
  }
}
