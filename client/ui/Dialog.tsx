import { useLingui } from '@lingui/react/macro';
import { useId, useLayoutEffect, useRef, type KeyboardEvent, type ReactNode, type SyntheticEvent } from 'react';
import { Button } from './Button.js';
import './Dialog.css';

interface Props {
  title: string;
  subtitle?: ReactNode;
  onClose: () => void;
  /** Called instead of `onClose` by Escape and by a click on the backdrop. */
  onEscape?: () => void;
  onKeyDown?: (event: KeyboardEvent) => void;
  children: ReactNode;
  /** Above the button that closes the dialog. */
  footer?: ReactNode;
  closeLook?: 'main' | 'plain';
  /** What the button at the end says instead, where `onClose` leads somewhere else. */
  closeText?: string;
}

/**
 * A modal dialog, open while it is rendered. The native <dialog> traps the focus, makes the page behind it inert, closes
 * on Escape and returns the focus to the opener.
 */
export function Dialog({
  title,
  subtitle,
  onClose,
  onEscape = onClose,
  onKeyDown,
  children,
  footer,
  closeLook = 'main',
  closeText,
}: Props) {
  const { t } = useLingui();
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
      onClick={(event) => pressedOnBackdrop.current && isOnBackdrop(event) && onEscape()}
      onKeyDown={onKeyDown}
      onCancel={(event) => {
        // Chromium closes a dialog without asking when nobody has pressed anything since the last Escape.
        if (!event.cancelable) return;
        event.preventDefault();
        onEscape();
      }}
      // Whatever closed it. The page removes an open dialog, which then tells nobody.
      onClose={({ currentTarget }) => currentTarget.open || onClose()}
    >
      <div className="dialog-content">
        <div className="dialog-header">
          <h2 id={heading}>{title}</h2>
          {subtitle && <p className="faint">{subtitle}</p>}
        </div>
        <div className="dialog-body">{children}</div>
        <div className="dialog-footer">
          {footer}
          <Button look={closeLook} onClick={onClose}>
            {closeText ?? t`Close`}
          </Button>
        </div>
      </div>
    </dialog>
  );
}
