/** Names that every object of the language has: as keys of plain objects they would be found where nobody set them. */
const RESERVED: ReadonlySet<string> = new Set(['prototype', ...Object.getOwnPropertyNames(Object.prototype)]);

export const isReservedName = (name: string): boolean => RESERVED.has(name) || RESERVED.has(name.trim());
