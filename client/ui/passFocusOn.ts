/**
 * The `ref` of a button that goes away when it has done its work: the focus that it has then goes on to the first button
 * of the dialog or the section that it stood in, instead of to nowhere.
 */
export function passFocusOn(button: HTMLButtonElement) {
  const place = button.closest('dialog, section');
  return (): void => {
    if (document.activeElement !== button) return;
    // When what comes in its place stands there too.
    queueMicrotask(() => place?.querySelector<HTMLElement>('button:not([tabindex="-1"])')?.focus());
  };
}
