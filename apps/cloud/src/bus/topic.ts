/**
 * One kind of message between features, declared once, beside the feature that says it (`<feature>.topics.ts`).
 */
export interface Topic<Message> {
  readonly name: string;
  readonly reach: 'everywhere' | 'process';
  readonly isVital: boolean;
  /** Never set; it carries the type of the message. */
  readonly message?: Message;
}

export interface TopicOptions {
  /** `everywhere`: told in all processes, so the message is plain data. `process`: told in this one alone. */
  reach?: 'everywhere' | 'process';
  /**
   * Whoever publishes it must know that it failed: the promise of `publish` is rejected when a listener of the own
   * process fails. For listeners that take rights away; all others are only logged and counted.
   */
  isVital?: boolean;
}

const known = new Set<string>();

/** Declares a topic. Throws when another one has the name. */
export function topic<Message>(
  name: string,
  { reach = 'everywhere', isVital = false }: TopicOptions = {},
): Topic<Message> {
  if (known.has(name)) throw new Error(`The topic ${name} is declared twice.`);
  known.add(name);
  return { name, reach, isVital };
}
