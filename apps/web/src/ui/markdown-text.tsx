import type { AnchorHTMLAttributes, ImgHTMLAttributes } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import classes from './markdown.module.css';

const PLUGINS = [remarkGfm];
const COMPONENTS: Components = {
  a: ({ href, title, children }) => <SafeLink href={href} title={title} text={children} />,
  img: ({ src, alt, title }) => <SafeImage src={src} alt={alt} title={title} />,
  h1: 'h3',
  h2: 'h4',
  h3: 'h5',
  h4: 'h6',
  h5: 'h6',
  table: ({ children }) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard
    <div className={classes.table} tabIndex={0}>
      <table>{children}</table>
    </div>
  ),
};

/** Loaded on demand by `Markdown`. */
// biome-ignore lint/style/noDefaultExport: what `lazy` loads
export default function MarkdownText({ children }: { children: string }) {
  return (
    <div className={classes.markdown}>
      <ReactMarkdown remarkPlugins={PLUGINS} components={COMPONENTS} urlTransform={safeUrl}>
        {children}
      </ReactMarkdown>
    </div>
  );
}

/** The address where it is one of a kind that does no harm; an empty one otherwise. */
function safeUrl(url: string): string {
  if (isOwn(url)) return url;
  return /^(https?:\/\/|mailto:)/i.test(url) ? url : '';
}

const isOwn = (url: string): boolean => /^(\/(?![/\\])|#)/.test(url);

type LinkProps = Pick<AnchorHTMLAttributes<HTMLAnchorElement>, 'href' | 'title'> & { text: React.ReactNode };

function SafeLink({ href, title, text }: LinkProps) {
  if (!href) return <span>{text}</span>;
  const elsewhere = isOwn(href) ? {} : { target: '_blank', rel: 'noopener noreferrer' };
  return (
    <a href={href} title={title} {...elsewhere}>
      {text}
    </a>
  );
}

/** A picture from elsewhere would tell that server who reads this, and when. */
function SafeImage({ src, alt, title }: Pick<ImgHTMLAttributes<HTMLImageElement>, 'src' | 'alt' | 'title'>) {
  if (typeof src === 'string' && isOwn(src))
    return <img src={src} alt={alt ?? ''} title={title} loading="lazy" />;
  return <SafeLink href={typeof src === 'string' ? src : ''} title={title} text={alt || src} />;
}
