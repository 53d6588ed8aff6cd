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
 * A modal dialog, open while it is rendered. The native <dialog> traps the focus, makes the page behind it inert, closes
 * on Escape and returns the focus to the opener.
 */
export function Dialog({ title, subtitle, onClose, onKeyDown, children, footer }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();

  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    // A dialog returns the focus only if it closes before React removes it, which a layout effect does.
    return () => element?.close();
  }, []);

  // The content covers the dialog, so an event on the dialog itself is on the backdrop. A click also needs its pointerdown
  // there, so that selecting text and releasing outside leaves the dialog open.
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
        <div className="dialog-header">
          <h2 id={heading}>{title}</h2>
          {subtitle && <p>{subtitle}</p>}
        </div>
        <div className="dialog-body">{children}</div>
        <div className="dialog-footer">{footer}</div>
      </div>
    </dialog>
  );
}
