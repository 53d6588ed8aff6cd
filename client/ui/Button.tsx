import type { ComponentProps } from 'react';
import './Button.css';

type Look = 'main' | 'plain' | 'quiet' | 'danger';

/** `main` is the primary action; `quiet` shows its frame on hover; `danger` cannot be undone. */
export function Button({ look = 'plain', className = '', ...rest }: ComponentProps<'button'> & { look?: Look }) {
  return <button type="button" className={`button button-${look} ${className}`} {...rest} />;
}

/**
 * A `ref` for a button that disappears after use: moves its focus to the first button of its dialog or section, so that
 * the focus is not lost.
 */
export function passFocusOn(button: HTMLButtonElement) {
  const containers = [button.closest('section'), button.closest('dialog')];
  return (): void => {
    if (document.activeElement !== button) return;
    // Wait until React has added the replacement.
    queueMicrotask(() => {
      const container = containers.find((one) => one?.isConnected);
      container?.querySelector<HTMLElement>('button:not([tabindex="-1"])')?.focus();
    });
  };
}
