export const CSV_DELIMITERS = [',', ';', '\t'] as const;
/** In place of a zone: that of the site of each device. */
export const SITE_ZONE = 'site';
