/** Texts of the pages behind sign-in: the name of a file is the first part of its keys. */
export const texts = import.meta.glob<object>(['./es/*.json', '!./es/public.json', '!./es/errors.json'], {
  eager: true,
  import: 'default',
});
