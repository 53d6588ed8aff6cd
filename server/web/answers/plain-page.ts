import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';

const STYLE = `
:root{color-scheme:light dark;
--paper:light-dark(oklch(.975 .006 95),oklch(.19 .012 265));--card:light-dark(oklch(1 0 0),oklch(.235 .014 265));
--sunk:light-dark(oklch(.955 .008 95),oklch(.3 .014 265));--ink:light-dark(oklch(.24 .02 265),oklch(.95 .008 95));
--soft:light-dark(oklch(.46 .02 265),oklch(.74 .015 265));--line:light-dark(oklch(.62 .012 265),oklch(.56 .015 265));
--x:light-dark(oklch(.5 .17 262),oklch(.76 .12 255));--o:light-dark(oklch(.53 .18 35),oklch(.76 .14 48));
--note:light-dark(oklch(.95 .05 95),oklch(.33 .05 90))}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:24px 16px;background:var(--paper);color:var(--ink);
font:16px/1.5 ui-rounded,"SF Pro Rounded",system-ui,Inter,"Segoe UI",Roboto,sans-serif}
main{width:min(100%,400px);background:var(--card);border:1px solid light-dark(transparent,oklch(.32 .015 265));border-radius:18px;
padding:32px 28px;box-shadow:0 1px 2px oklch(.2 .02 265/.06),0 8px 28px oklch(.2 .02 265/.07)}
.marks{display:flex;justify-content:center;gap:6px;margin-bottom:16px}.marks i{width:34px;height:34px;border-radius:10px;
background:var(--sunk);display:grid;place-items:center}.marks svg{width:20px;height:20px;fill:none;stroke-width:14;stroke-linecap:round}
.x{stroke:var(--x)}.o{stroke:var(--o)}
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

const X = '<i><svg viewBox="0 0 100 100"><path class="x" d="M16 16 84 84M84 16 16 84"/></svg></i>';
const O = '<i><svg viewBox="0 0 100 100"><circle class="o" cx="50" cy="50" r="38"/></svg></i>';

/** A page without scripts and other files, for messages outside the game. `content` is markup. */
export function plainPage(title: string, content: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Tic-Tac-Toe</title><link rel="icon" href="/favicon.svg"><style>${STYLE}</style></head>
<body><main><div class="marks" aria-hidden="true">${X}${O}${X}</div><h1>${title}</h1>
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
