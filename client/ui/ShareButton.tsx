import { useLingui } from '@lingui/react/macro';
import { Share2 } from 'lucide-react';
import { type ComponentProps, useState } from 'react';
import { Button } from './Button.js';
import { share } from './share.js';
import './ShareButton.css';

type Props = ComponentProps<typeof Button> & { text: string; url: string; label: string };

/** Shares a sentence with a link, or copies both, or shows them where the browser can do neither. */
export function ShareButton({ text, url, label, ...button }: Props) {
  const { t } = useLingui();
  const [done, setDone] = useState<Awaited<ReturnType<typeof share>>>(null);
  return (
    <div className="share">
      <Button look="main" {...button} onClick={() => void share(text, url).then(setDone)}>
        <Share2 aria-hidden />
        {label}
      </Button>
      <div role="status" className="soft balanced">
        {done === 'copied' && t`Copied: paste it wherever you like.`}
        {done === 'failed' && t`Your browser could not share it. The text:`}
        {done === 'failed' && <pre className="tile" tabIndex={0}>{`${text} ${url}`}</pre>}
      </div>
    </div>
  );
}
