import { byKey } from './collect.ts';

/** All other texts of the pages behind sign-in: the name of a file is the first part of its keys. */
export const texts = byKey({
  ...import.meta.glob<object>(['./en/*.json', '!./en/public.json'], {
    eager: true,
    import: 'default',
    query: '?rest=en',
  }),
  ...import.meta.glob<object>('../features/*/*.texts.json', {
    eager: true,
    import: 'default',
    query: '?rest=en',
  }),
});
