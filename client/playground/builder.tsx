import { explorerPlugin } from '@graphiql/plugin-explorer';
import '@graphiql/plugin-explorer/style.css';
import { type GraphiQLPlugin, useOperationsEditorState } from '@graphiql/react';
import { parse } from 'graphql';
import { type MouseEvent, useEffect, useRef } from 'react';

const TITLE = 'Query builder';
const box = (checked: boolean) => <input type="checkbox" checked={checked} readOnly />;
const arrow = (open: boolean) => <button type="button" aria-expanded={open} />;

/**
 * Its successor, `@graphiql/plugin-query-builder`, needs GraphiQL 6, of which there is only a beta. It draws its
 * check boxes and arrows as pictures without a focus. These controls stand in their place; a press bubbles to its handler.
 */
const { icon, content: Explorer } = explorerPlugin({
  title: TITLE,
  checkboxChecked: box(true),
  checkboxUnchecked: box(false),
  arrowOpen: arrow(true),
  arrowClosed: arrow(false),
});

/** Builds a query by clicking. */
export const PLUGINS: GraphiQLPlugin[] = [{ title: TITLE, icon, content: Builder }];

const controlsIn = (part: HTMLElement) => [...part.querySelectorAll<HTMLElement>('input, select, button')];

function nameOf(control: HTMLElement): string {
  const { fieldName, argName } = control.closest<HTMLElement>('[data-field-name], [data-arg-name]')?.dataset ?? {};
  return fieldName ?? argName ?? (control.closest('form') ? 'Add new' : (control.closest('div')?.innerText ?? ''));
}

/** The explorer takes seconds for a hundred, at each key. */
function isTooMuch(text: string): boolean {
  try {
    return parse(text).definitions.length > 20;
  } catch {
    return false;
  }
}

/** Names the explorer's controls, and keeps the focus when it draws a pressed one anew. */
function Builder() {
  const part = useRef<HTMLDivElement>(null);
  const [text] = useOperationsEditorState();
  useEffect(() => {
    const name = () => controlsIn(part.current!).forEach((control) => (control.ariaLabel ??= nameOf(control)));
    const drawn = new MutationObserver(name);
    drawn.observe(part.current!, { childList: true, subtree: true });
    name();
    return () => drawn.disconnect();
  }, []);
  const keepFocus = ({ currentTarget, target }: MouseEvent<HTMLElement>) => {
    const at = controlsIn(currentTarget).indexOf(target as HTMLElement);
    setTimeout(() => document.activeElement === document.body && controlsIn(currentTarget)[at]?.focus());
  };
  return (
    <div ref={part} className="builder" onClickCapture={keepFocus}>
      {isTooMuch(text) ? <p>The query builder shows up to 20 operations and fragments.</p> : <Explorer />}
    </div>
  );
}
