import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';

const STYLE = `
:root{color-scheme:light dark;
--paper:light-dark(oklch(.975 .006 95),oklch(.19 .012 265));--card:light-dark(oklch(1 0 0),oklch(.235 .014 265));
--ink:light-dark(oklch(.24 .02 265),oklch(.95 .008 95));
--soft:light-dark(oklch(.46 .02 265),oklch(.74 .015 265));--line:light-dark(oklch(.62 .012 265),oklch(.56 .015 265));
--x:light-dark(oklch(.5 .17 262),oklch(.76 .12 255));--o:light-dark(oklch(.53 .18 35),oklch(.76 .14 48));
--note:light-dark(oklch(.95 .05 95),oklch(.33 .05 90))}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:24px 16px;background:var(--paper);color:var(--ink);
font:16px/1.5 ui-rounded,"SF Pro Rounded",system-ui,Inter,"Segoe UI",Roboto,sans-serif}
main{width:min(100%,400px);background:var(--card);border:1px solid light-dark(transparent,oklch(.32 .015 265));border-radius:18px;
padding:32px 28px;box-shadow:0 1px 2px oklch(.2 .02 265/.06),0 8px 28px oklch(.2 .02 265/.07)}
img{display:block;margin:0 auto 16px}
h1{font-size:1.6rem;line-height:1.2;letter-spacing:-.02em;text-align:center;margin:0 0 12px}
.lead{margin:0 0 22px;text-align:center;text-wrap:balance;color:var(--soft)}
.note{background:var(--note);border-radius:12px;padding:10px 14px;margin:0 0 22px;font-size:.92rem}
label{display:block;font-weight:600;margin-bottom:4px}
input{width:100%;font:inherit;color:inherit;background:transparent;border:1px solid var(--line);border-radius:12px;padding:11px 14px;margin-bottom:16px}
.wrong{color:var(--o);font-weight:600;margin:0 0 16px}
button,a.button{display:block;width:100%;font:inherit;font-weight:600;text-align:center;text-decoration:none;cursor:pointer;border-radius:12px;
border:1px solid var(--ink);background:var(--ink);color:var(--paper);padding:13px}
button.quiet{border-color:transparent;background:transparent;color:var(--soft);margin-top:6px}
:focus-visible{outline:3px solid var(--x);outline-offset:2px}`;

/** Allows only this style, and forms to our own origin. */
export const PLAIN_PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "img-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** A page without scripts and other files, for messages outside the game. `content` is markup. */
export function plainPage(title: string, content: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Tic-Tac-Toe</title><link rel="icon" href="/favicon.svg"><style>${STYLE}</style></head>
<body><main><img src="/favicon.svg" alt="" width="56" height="56"><h1>${title}</h1>
${content}</main></body></html>`;
}

/** Sends a page as it is; a plain one names its policy. */
export const sendHtml = (reply: FastifyReply, markup: string): FastifyReply =>
  reply.type('text/html; charset=utf-8').send(markup);

export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

export function nothingHerePage(): string {
  return plainPage(
    'Nothing here',
    `<p class="lead">There is nothing at this address. It may have been mistyped, or it is gone.</p>
<a class="button" href="/">Back to the game</a>`,
  );
}
