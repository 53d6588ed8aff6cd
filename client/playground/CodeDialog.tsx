import { useState } from 'react';
import { Button } from '../ui/Button.js';
import { Dialog } from '../ui/Dialog.js';
import { Tabs } from '../ui/Tabs.js';
import type { GetToken } from '../graphql/sendWithToken.js';
import { asCurl, asJavaScript, asPython, withToken } from './code.js';
import type { Description } from './code.js';
import { copy } from './copy.js';
import { messages } from './messages.js';

const FORMATS = { curl: asCurl, javascript: asJavaScript, python: asPython };
export type Language = keyof typeof FORMATS;
const TABS = (['curl', 'javascript', 'python'] as const).map((name) => ({ name, label: messages.languages[name] }));

interface Props {
  readonly description: Description;
  readonly getToken: GetToken;
  readonly language: Language;
  readonly onLanguage: (language: Language) => void;
  readonly onClose: () => void;
}

/** Shows a request as code in one of three languages. Only the copy holds the player's token. */
export function CodeDialog({ description, getToken, language, onLanguage, onClose }: Props) {
  const [said, setSaid] = useState('');
  const format = FORMATS[language];

  const copyCode = async () => {
    if (!description.readsToken) return { text: format(description), said: messages.codeCopied };
    const token = await getToken();
    if (token === null) return null;
    return { text: format(withToken(description, token)), said: messages.codeCopiedWithToken };
  };

  const select = (name: Language) => {
    setSaid('');
    onLanguage(name);
  };

  const footer = (
    <>
      <p role="status">{said || (description.readsToken && messages.codeHoldsToken)}</p>
      <Button look="main" onClick={() => void copy(copyCode).then(setSaid)}>
        {messages.copyCode}
      </Button>
    </>
  );
  return (
    <Dialog title={messages.code} onClose={onClose} closeLook="plain" footer={footer}>
      <Tabs label={messages.language} tabs={TABS} selected={language} shown={language} onSelect={select}>
        <pre className="playground-code" dir="ltr" tabIndex={0} role="region" aria-label={messages.languages[language]}>
          {format(description)}
        </pre>
      </Tabs>
    </Dialog>
  );
}
