import { useId, useLayoutEffect, useRef } from 'react';
import type { KeyboardEvent, ReactNode, SyntheticEvent } from 'react';
import './Dialog.css';

interface Props {
  title: string;
  subtitle?: string;
  onClose: () => void;
  onKeyDown?: (event: KeyboardEvent) => void;
  children: ReactNode;
  footer: ReactNode;
}

/**
 * A modal dialog, open as long as it is rendered. The browser's own <dialog> keeps the focus inside, makes the page
 * behind inert, closes on Escape and gives the focus back to the opener.
 */
export function Dialog({ title, subtitle, onClose, onKeyDown, children, footer }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();

  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    // Only a dialog that is closed while it is still in the page gives the focus back: a layout effect is in time.
    return () => element?.close();
  }, []);

  // The content covers the whole dialog, so what is aimed at the element itself is on the backdrop. So is a click that
  // began inside, on a text that was marked: it leaves the dialog open.
  const isOnBackdrop = (event: SyntheticEvent) => event.target === event.currentTarget;
  const pressedOnBackdrop = useRef(false);

  return (
    <dialog
      ref={dialog}
      className="dialog"
      aria-labelledby={heading}
      onPointerDown={(event) => (pressedOnBackdrop.current = isOnBackdrop(event))}
      onClick={(event) => pressedOnBackdrop.current && isOnBackdrop(event) && onClose()}
      onKeyDown={onKeyDown}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <div className="dialog-content">
        <header className="dialog-header">
          <h2 id={heading}>{title}</h2>
          {subtitle && <p>{subtitle}</p>}
        </header>
        <div className="dialog-body">{children}</div>
        <footer className="dialog-footer">{footer}</footer>
      </div>
    </dialog>
  );
}
