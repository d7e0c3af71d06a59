/** In front of the name of each cookie where the page came over https. */
export const COOKIE_PREFIX = '__Host-';
