/** As much of the library as is used; it brings no types. */
declare module 'jsdom' {
  import type { WindowLike } from 'dompurify';

  /** An element of a document, opaque here. */
  type Root = Parameters<ReturnType<typeof import('dompurify').default>['sanitize']>[0];

  export class JSDOM {
    constructor(html: string);
    readonly window: WindowLike & {
      DOMParser: new () => { parseFromString(text: string, type: string): { documentElement: Root } };
      XMLSerializer: new () => { serializeToString(root: Root): string };
    };
  }
}
