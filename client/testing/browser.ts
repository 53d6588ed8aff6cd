/** What browsers have and jsdom has not, as far as the page uses it. Imported for its effect. */
import { webcrypto } from 'node:crypto';
import { TextEncoder } from 'node:util';
import '@testing-library/jest-dom/jest-globals';

Object.defineProperty(globalThis, 'crypto', { value: webcrypto, configurable: true });
Object.defineProperty(globalThis, 'TextEncoder', { value: TextEncoder, configurable: true });

window.matchMedia ??= (media: string) =>
  Object.assign(new EventTarget(), {
    media,
    matches: false,
    onchange: null,
    addListener: () => undefined,
    removeListener: () => undefined,
  });

HTMLDialogElement.prototype.showModal ??= function showModal(this: HTMLDialogElement) {
  opener.set(this, document.activeElement);
  this.open = true;
  this.querySelector<HTMLElement>('button, input')?.focus();
};

HTMLDialogElement.prototype.close ??= function close(this: HTMLDialogElement) {
  this.open = false;
  const back = opener.get(this);
  if (back instanceof HTMLElement) back.focus();
};

const opener = new WeakMap<HTMLDialogElement, Element | null>();
