/** The text with a large first letter, as a label or a sentence begins. */
export const sentenceCase = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
