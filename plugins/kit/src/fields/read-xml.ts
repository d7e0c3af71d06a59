import { XMLParser, XMLValidator } from 'fast-xml-parser';

/** Levels of a document at most. */
const DEEPEST = 60;

/**
 * A document by the names of its elements, without their namespaces: `@name` for attributes, `#text` beside them. All
 * values are texts. Throws for what is no XML, and for what is too deep.
 *
 * Entities of a document's own are not followed: a few lines of them can mean gigabytes.
 */
export function readXml(text: string): unknown {
  const check = XMLValidator.validate(text);
  if (check !== true) throw new Error(`line ${check.err.line}: ${check.err.msg}`);
  if (/<!ENTITY/i.test(text)) throw new Error('a document with entities of its own is not read');
  if (deepest(text) > DEEPEST) throw new Error(`more than ${DEEPEST} levels`);
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '@',
    parseTagValue: false,
    parseAttributeValue: false,
    ignoreDeclaration: true,
    removeNSPrefix: true,
    trimValues: true,
  });
  return parser.parse(text);
}

function deepest(text: string): number {
  let [depth, most] = [0, 0];
  for (const [, close, empty] of text.matchAll(/<(\/?)[A-Za-z_][^>]*?(\/?)>/g)) {
    if (close) depth--;
    else if (!empty) depth++;
    most = Math.max(most, depth);
  }
  return most;
}
