import { useState } from 'react';
import { Button } from '../ui/Button.js';
import type { GetToken } from '../graphql/sendWithToken.js';
import { describeRequest } from './code.js';
import type { Description } from './code.js';
import { CodeDialog } from './CodeDialog.js';
import type { Language } from './CodeDialog.js';
import { messages } from './messages.js';
import { isSubscription } from './request.js';
import { useTypedRequest } from './useTypedRequest.js';

interface Props {
  readonly signedIn: boolean;
  readonly getToken: GetToken;
  readonly say: (feedback: string) => void;
}

/** Opens the operation in the editor as code, or says why it cannot. The language stays chosen. */
export function CodeButton({ signedIn, getToken, say }: Props) {
  const [description, setDescription] = useState<Description | null>(null);
  const [language, setLanguage] = useState<Language>('curl');
  const readRequest = useTypedRequest();

  const open = () => {
    try {
      const { request, headers } = readRequest();
      const described = describeRequest(request, signedIn, headers);
      if (isSubscription(described.body)) return say(messages.noCodeForSockets);
      setDescription(described);
      say('');
    } catch (problem) {
      say(messages.noCode((problem as Error).message));
    }
  };

  return (
    <>
      <Button onClick={open}>{messages.showCode}</Button>
      {description && (
        <CodeDialog
          description={description}
          getToken={getToken}
          language={language}
          onLanguage={setLanguage}
          onClose={() => setDescription(null)}
        />
      )}
    </>
  );
}
