import { byKey } from './collect.ts';

/** Texts that the first screens behind sign-in show: the name of a file is the first part of its keys. */
export const texts = byKey({
  ...import.meta.glob<object>(['./en/*.json', '!./en/public.json'], {
    eager: true,
    import: 'default',
    query: '?first=en',
  }),
  ...import.meta.glob<object>('../features/*/*.texts.json', {
    eager: true,
    import: 'default',
    query: '?first=en',
  }),
});
