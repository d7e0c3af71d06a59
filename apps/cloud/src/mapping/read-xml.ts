import { XMLParser } from 'fast-xml-parser';
import { UnreadableRecords } from './unreadable-records.ts';

/** Most characters of an XML file: it is parsed in one piece, and other requests wait meanwhile. */
const MOST = 15_000_000;
/** Deepest nesting of elements. */
const DEPTH = 40;

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  removeNSPrefix: true,
  // Texts stay texts: the field decides how a value is read.
  parseTagValue: false,
  parseAttributeValue: false,
  ignoreDeclaration: true,
  ignorePiTags: true,
  maxNestedTags: DEPTH,
});

/**
 * Parses XML: elements by name, attributes as `@name`, texts beside elements as `#text`. A document type is refused, since it
 * can define entities that expand without end. Throws `UnreadableRecords`.
 */
export function readXml(text: string): unknown {
  if (text.length > MOST) throw new UnreadableRecords(`XML of more than ${MOST / 1e6} MB is not read.`);
  if (/<!DOCTYPE|<!ENTITY/i.test(text))
    throw new UnreadableRecords('XML with a document type (<!DOCTYPE …>) is not read. Send it without one.');
  try {
    return parser.parse(text, true);
  } catch (error) {
    const why = error instanceof Error ? error.message.replace(/^\[\w+\] /, '').slice(0, 200) : '';
    throw new UnreadableRecords(`This is not valid XML: ${why}`);
  }
}
