import { useLingui } from '@lingui/react/macro';
import { Button, passFocusOn } from '../Button.js';
import { Dialog } from '../Dialog.js';

/** In place of a dialog whose code could not be loaded. */
export function NotLoaded({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  return (
    <Dialog title={t`Not loaded`} onClose={onClose}>
      <p role="alert" className="dialog-note faint">
        {t`Couldn't load this. Check your connection and reload the page.`}
      </p>
    </Dialog>
  );
}

/** In place of content that could not be loaded. */
export function Failed({ className, text, retry }: { className: string; text: string; retry: () => void }) {
  const { t } = useLingui();
  return (
    <div className={`${className} centred`}>
      <p role="alert">{text}</p>
      <Button ref={passFocusOn} onClick={retry}>
        {t`Try again`}
      </Button>
    </div>
  );
}
