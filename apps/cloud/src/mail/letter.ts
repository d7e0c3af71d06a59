import { BRAND, textOn } from '@albedo/contract/branding/colours';
import { PRODUCT_NAME } from '@albedo/contract/product';
import type { Language } from '@albedo/contract/settings/settings.schema';
import type { Theme } from '@albedo/contract/workgroups/workgroups.schema';

/** A message for people, before it is put into an e-mail. */
export interface Letter {
  subject: string;
  /** Plain sentences, one paragraph each. */
  paragraphs: string[];
  /** A part of a paragraph that the eye has to find, such as a code to type. */
  highlight?: string;
  /** What belongs to the matter: names and values, a line each. */
  facts?: [name: string, value: string][];
  /** What somebody wrote, with its lines as they are. */
  quote?: string;
  /** The one thing to do. */
  action?: { text: string; url: string };
  /** Small print below. Addresses in it are links, so it never holds what others wrote. */
  note?: string;
  /** Of all of it; English where none is named. */
  language?: Language;
}

/** The letter as text and as HTML, in the looks of the theme; whatever stands in it is shown as it is. */
export function renderLetter(letter: Letter, theme: Theme = {}): { text: string; html: string } {
  const { subject, paragraphs, facts, quote, action, note, highlight, language = 'en' } = letter;
  const name = theme.serviceName || PRODUCT_NAME;
  const text = [
    ...paragraphs,
    ...(facts ? [facts.map(([fact, value]) => `${fact}: ${value}`).join('\n')] : []),
    ...(quote ? [quote.replace(/^/gm, '> ')] : []),
    ...(action ? [`${action.text}:\n${action.url}`] : []),
    ...(note ? [note] : []),
    `-- \n${name}`,
  ].join('\n\n');
  const html = `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>${DARK}</style>
</head>
<body class="page" style="margin:0;padding:0;background:#f6f7f6">
<div style="display:none;max-height:0;overflow:hidden">${escapeHtml(paragraphs[1] ?? paragraphs[0] ?? '')}</div>
<table role="presentation" class="page ink" width="100%" cellpadding="0" cellspacing="0" style="background:#f6f7f6;color:#1b1e1a;font:15px/1.55 Inter,system-ui,-apple-system,'Segoe UI',Roboto,sans-serif">
<tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px;text-align:left">
<tr><td style="padding:0 4px 12px;font-size:16px;font-weight:600">${escapeHtml(name)}</td></tr>
<tr><td class="card" style="padding:28px 32px 32px;background:#ffffff;border:1px solid #dfe2dd;border-top:4px solid ${theme.primary ?? BRAND.primary};border-radius:8px;overflow-wrap:anywhere">
<h1 style="margin:0 0 16px;font-size:20px;line-height:1.3">${escapeHtml(subject)}</h1>
${paragraphs.map((one) => paragraph(one, highlight)).join('\n')}
${facts ? factTable(facts) : ''}
${quote ? quoted(quote) : ''}
${action ? button(action, theme) : ''}
${note ? `<p class="dim" style="margin:24px 0 0;font-size:13px;color:#5b6159">${linked(escapeHtml(note))}</p>` : ''}
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`;
  return { text, html };
}

/** Programs that read mails in the dark and know no such rules keep the light colours, which go together as well. */
const DARK = `@media (prefers-color-scheme: dark) {
.page { background: #121412 !important; }
.card { background: #191c19 !important; }
.card, .line { border-left-color: #2e332e !important; border-right-color: #2e332e !important; border-bottom-color: #2e332e !important; }
.ink, .ink a { color: #e6e9e4 !important; }
.dim, .dim a { color: #9ca59a !important; }
}`;

function paragraph(text: string, highlight: string | undefined): string {
  const strong = (part: string) =>
    `<strong style="font:600 22px/1.2 ui-monospace,Menlo,Consolas,monospace;letter-spacing:3px">${part}</strong>`;
  const escaped = escapeHtml(text);
  const marked = highlight ? escaped.replace(escapeHtml(highlight), strong) : escaped;
  return `<p style="margin:0 0 16px">${marked}</p>`;
}

const factTable = (facts: [string, string][]): string => {
  const rows = facts.map(
    ([name, value]) =>
      `<tr><td class="dim" style="padding:3px 16px 3px 0;color:#5b6159;white-space:nowrap;vertical-align:top">${escapeHtml(name)}</td><td style="padding:3px 0">${escapeHtml(value)}</td></tr>`,
  );
  return `<table role="presentation" cellpadding="0" cellspacing="0" style="margin:0 0 16px;font-size:14px;line-height:1.45">${rows.join('\n')}</table>`;
};

/** Lines and what begins them stay where they are: people paste logs and tables. */
const quoted = (text: string): string => {
  const lines = escapeHtml(text)
    .replace(/^ +/gm, (spaces) => '&nbsp;'.repeat(spaces.length))
    .replace(/\r?\n/g, '<br>\n');
  return `<div class="line" style="margin:0 0 16px;padding:2px 0 2px 16px;border-left:3px solid #dfe2dd">${lines}</div>`;
};

const button = ({ text, url }: { text: string; url: string }, theme: Theme): string => {
  const primary = theme.primary ?? BRAND.primary;
  const ink = textOn(primary, theme.text ?? BRAND.text);
  const href = escapeHtml(url);
  return `<p style="margin:24px 0 16px"><a href="${href}" style="display:inline-block;padding:11px 20px;background:${primary};border-radius:6px;color:${ink} !important;font-weight:600;text-decoration:none">${escapeHtml(text)}</a></p>
<p class="dim" style="margin:0;font-size:13px;color:#5b6159;word-break:break-all">${href}</p>`;
};

const linked = (escaped: string): string =>
  escaped.replace(/https?:\/\/[^\s<]+/g, (url) => `<a href="${url}" style="color:#5b6159">${url}</a>`);

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (one) => ENTITIES[one] ?? one);
