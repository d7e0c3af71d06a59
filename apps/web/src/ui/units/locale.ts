/** How the user writes numbers and dates: the first language of the browser. */
export const LOCALE = navigator.language;
