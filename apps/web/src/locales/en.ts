/** Texts of the pages behind sign-in: the name of a file is the first part of its keys. */
export const texts = import.meta.glob<object>(['./en/*.json', '!./en/public.json'], {
  eager: true,
  import: 'default',
});
