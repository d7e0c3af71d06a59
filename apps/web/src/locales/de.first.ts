import { byKey } from './collect.ts';

/** Texts that the first screens behind sign-in show: the name of a file is the first part of its keys. */
export const texts = byKey({
  ...import.meta.glob<object>(['./de/*.json', '!./de/public.json', '!./de/errors.json'], {
    eager: true,
    import: 'default',
    query: '?first=de',
  }),
  ...import.meta.glob<object>('../features/*/*.texts.json', {
    eager: true,
    import: 'default',
    query: '?first=de',
  }),
});
