import { byKey } from './collect.ts';

/** Texts that the first screens behind sign-in show: the name of a file is the first part of its keys. */
export const texts = byKey({
  ...import.meta.glob<object>(['./es/*.json', '!./es/public.json', '!./es/errors.json'], {
    eager: true,
    import: 'default',
    query: '?first=es',
  }),
  ...import.meta.glob<object>('../features/*/*.texts.json', {
    eager: true,
    import: 'default',
    query: '?first=es',
  }),
});
