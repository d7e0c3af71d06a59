import { byKey } from './collect.ts';

/** All other texts of the pages behind sign-in: the name of a file is the first part of its keys. */
export const texts = byKey({
  ...import.meta.glob<object>(['./de/*.json', '!./de/public.json', '!./de/errors.json'], {
    eager: true,
    import: 'default',
    query: '?rest=de',
  }),
  ...import.meta.glob<object>('../features/*/*.texts.json', {
    eager: true,
    import: 'default',
    query: '?rest=de',
  }),
});
