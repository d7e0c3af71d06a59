export const CSV_DELIMITERS = [',', ';', '\t'] as const;
/** In place of a zone: that of the site of each device. */
export const SITE_ZONE = 'site';

/** What stands before the decimals; the other one may part thousands. */
export const DECIMAL_SIGNS = ['.', ','] as const;
export type DecimalSign = (typeof DECIMAL_SIGNS)[number];
