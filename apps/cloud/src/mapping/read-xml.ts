import { XMLParser } from 'fast-xml-parser';
import { UnreadableRecords } from './unreadable-records.ts';

/** Signs of a text: an XML file is read in one piece, and others wait meanwhile. */
const MOST = 15_000_000;
/** Elements within each other. */
const DEPTH = 40;

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  removeNSPrefix: true,
  // What a text means is said by the field that it becomes.
  parseTagValue: false,
  parseAttributeValue: false,
  ignoreDeclaration: true,
  ignorePiTags: true,
  maxNestedTags: DEPTH,
});

/**
 * What stands in XML: elements by their names, attributes behind `@`, texts beside them as `#text`. A text with a document type
 * is refused whole, for that is where entities are made of others. Throws `UnreadableRecords`.
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
