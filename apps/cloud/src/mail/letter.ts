import { PRODUCT_NAME } from '@albedo/contract/product';
import type { Language } from '@albedo/contract/settings/settings.schema';

/** A message for people, before it is put into an e-mail. */
export interface Letter {
  subject: string;
  /** Plain sentences, one paragraph each. */
  paragraphs: string[];
  /** The one thing to do. */
  action?: { text: string; url: string };
  /** Small print below. */
  note?: string;
  /** Of all of it; English where none is named. */
  language?: Language;
}

/** The letter as text and as HTML; whatever stands in it is shown as it is. */
export function renderLetter(letter: Letter): { text: string; html: string } {
  const { subject, paragraphs, action, note, language = 'en' } = letter;
  const text = [
    ...paragraphs,
    ...(action ? [`${action.text}:\n${action.url}`] : []),
    ...(note ? [note] : []),
    `-- \n${PRODUCT_NAME}`,
  ].join('\n\n');
  const html = `<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:24px;background:#f4f5f2;font-family:system-ui,-apple-system,'Segoe UI',sans-serif;color:#1d211a">
<div style="max-width:32rem;margin:0 auto;padding:32px;background:#fff;border-radius:8px">
<h1 style="margin:0 0 16px;font-size:20px">${escapeHtml(subject)}</h1>
${paragraphs.map((one) => `<p style="margin:0 0 16px;line-height:1.5">${escapeHtml(one)}</p>`).join('\n')}
${action ? button(action) : ''}
${note ? `<p style="margin:16px 0 0;font-size:13px;line-height:1.5;color:#5d6558">${escapeHtml(note)}</p>` : ''}
</div>
</body>
</html>
`;
  return { text, html };
}

const button = ({ text, url }: { text: string; url: string }): string =>
  `<p style="margin:24px 0"><a href="${escapeHtml(url)}" style="display:inline-block;padding:12px 20px;background:#b0c748;border-radius:6px;color:#111;font-weight:600;text-decoration:none">${escapeHtml(text)}</a></p>
<p style="margin:0;font-size:13px;line-height:1.5;color:#5d6558;word-break:break-all">${escapeHtml(url)}</p>`;

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (one) => ENTITIES[one] ?? one);
