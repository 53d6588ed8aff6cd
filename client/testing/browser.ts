/** Adds browser functions that jsdom lacks. Imported for its side effect. */
import { webcrypto } from 'node:crypto';
import { TextEncoder } from 'node:util';
import '@testing-library/jest-dom/jest-globals';

Object.defineProperty(globalThis, 'crypto', { value: webcrypto, configurable: true });
Object.defineProperty(globalThis, 'TextEncoder', { value: TextEncoder, configurable: true });

/** A clock of 24 hours. */
Object.defineProperty(navigator, 'language', { configurable: true, get: () => 'en-GB' });

fillIn(window, 'isSecureContext', true);

fillIn(window, 'matchMedia', (media: string) => Object.assign(new EventTarget(), { media, matches: false }));

fillIn(Element.prototype, 'animate', () => undefined);

const openers = new WeakMap<HTMLDialogElement, Element | null>();

fillIn(HTMLDialogElement.prototype, 'showModal', function showModal(this: HTMLDialogElement) {
  openers.set(this, document.activeElement);
  this.open = true;
  this.querySelector<HTMLElement>('button, input, [tabindex="0"]')?.focus();
});

fillIn(HTMLDialogElement.prototype, 'close', function close(this: HTMLDialogElement) {
  this.open = false;
  const opener = openers.get(this);
  if (this.isConnected && opener instanceof HTMLElement) opener.focus();
});

function fillIn(owner: object, name: string, value: unknown): void {
  if (!(name in owner)) Object.defineProperty(owner, name, { value, configurable: true, writable: true });
}
