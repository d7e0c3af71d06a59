import { SaxesParser } from 'saxes';
import { refusal } from './refusal.ts';

const REFERENCES = ['href', 'xlink:href', 'src', 'xml:base'];
const OUTSIDE_CSS =
  /@import|url\s*\(\s*['"]?\s*(?!['"]?\s*#)|(image-set|image|src|expression)\s*\(|javascript:/i;
/** No drawing is nested so deep; reading it takes time by the square of its depth. */
const MOST_DEPTH = 500;

/**
 * Throws `branding.image_invalid` unless the bytes are a well-formed SVG without entities and with nothing from elsewhere:
 * neither by a link nor by its styles, which `cleanSvg` does not look into. What it may draw with is decided there.
 */
export function demandSelfContainedSvg(content: Uint8Array): void {
  const parser = new SaxesParser();
  let depth = 0;
  /** How deep the style lies whose text is read; what stands inside of other elements in it belongs to it too. */
  let styleDepth = 0;
  parser.on('error', () => {
    throw refusal('issue.svg_broken');
  });
  parser.on('doctype', (text) => {
    if (/[[<]/.test(text)) throw refusal('issue.svg_entities');
  });
  parser.on('processinginstruction', ({ target }) => {
    throw refusal('issue.svg_contains', { part: `<?${target}?>` });
  });
  parser.on('opentag', ({ name, attributes }) => {
    const element = localName(name);
    if (depth++ === 0 && element !== 'svg') throw refusal('issue.svg_none');
    if (depth > MOST_DEPTH) throw refusal('issue.svg_broken');
    if (styleDepth === 0 && element === 'style') styleDepth = depth;
    for (const [attribute, value] of Object.entries(attributes)) checkAttribute(attribute, value);
  });
  parser.on('closetag', () => {
    if (depth === styleDepth) styleDepth = 0;
    depth--;
  });
  const checkText = (text: string) => {
    if (styleDepth > 0) checkCss(text);
  };
  parser.on('text', checkText);
  parser.on('cdata', checkText);
  parser.on('xmldecl', ({ encoding }) => {
    if (encoding && !/^utf-8$/i.test(encoding)) throw refusal('issue.svg_encoding', { encoding });
  });
  parser.write(textOf(content)).close();
}

/** Read as the browser reads it: in another encoding a quotation mark may be half of a letter. */
function textOf(content: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch {
    throw refusal('issue.svg_not_utf8');
  }
}

function checkAttribute(name: string, value: string): void {
  const attribute = name.toLowerCase();
  if (REFERENCES.includes(attribute)) {
    const target = value.trim();
    const isInside = target.startsWith('#') || /^data:image\/(png|jpeg|gif|webp);base64,/i.test(target);
    if (!isInside) throw refusal('issue.svg_outside');
  } else if (!attribute.startsWith('xmlns')) checkCss(value);
}

function checkCss(text: string): void {
  // An escape could spell what is looked for in another way.
  if (text.includes('\\') || OUTSIDE_CSS.test(text)) throw refusal('issue.svg_outside');
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1).toLowerCase();
