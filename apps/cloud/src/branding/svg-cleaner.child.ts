/**
 * Cleans one SVG by DOMPurify: from its input to its output, as a process of its own. The document model that the library
 * needs takes more memory than all else the server holds, and what a hostile picture does to it ends with this process.
 */
import { text } from 'node:stream/consumers';
import createDOMPurify, { type RemovedAttribute, type RemovedElement } from 'dompurify';
import { JSDOM } from 'jsdom';
import type { CleanedSvg } from './svg-cleaner.ts';

const NAMESPACES = ['http://www.w3.org/2000/svg', 'http://www.w3.org/1999/xhtml'];
/** Drawing that browsers do not draw, as old editors wrote it: left out without a word. */
const FORGOTTEN =
  /^(font-face.*|missing-glyph|cursor|color-profile|animatecolor|flow.*|mesh.*|hatch.*|solidcolor|discard|unknown)$/i;

const { window } = new JSDOM('');
const purify = createDOMPurify(window);
const doc = new window.DOMParser().parseFromString(await text(process.stdin), 'image/svg+xml');
const root = doc.documentElement;
// A reference within the picture; that it leads nowhere else is looked at before.
const found = { USE_PROFILES: { svg: true, svgFilters: true }, ADD_TAGS: ['use'], IN_PLACE: true };
purify.sanitize(root, found);
// Whatever stands outside of the root is none of the picture.
const cleaned: CleanedSvg = {
  svg: new window.XMLSerializer().serializeToString(root),
  refused: purify.removed.map(partOf).find((part) => part !== null) ?? null,
};
process.stdout.write(JSON.stringify(cleaned));

interface NodeFacts {
  namespaceURI: string | null;
  nodeName: string;
  nodeType: number;
}

/** What a person should know of: what ran or embedded something. Data of editors is only dropped. */
function partOf(removed: RemovedElement | RemovedAttribute): CleanedSvg['refused'] {
  if ('element' in removed) {
    const { namespaceURI, nodeName, nodeType } = removed.element as unknown as NodeFacts;
    const isDrawing = nodeType === 1 && (!namespaceURI || NAMESPACES.includes(namespaceURI));
    return isDrawing && !FORGOTTEN.test(nodeName) ? { element: nodeName } : null;
  }
  const { name = '', localName = '' } = removed.attribute ?? {};
  return localName.startsWith('on') ? { attribute: name } : null;
}
