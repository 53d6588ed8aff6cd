import { tryParseJSONC, useGraphiQL } from '@graphiql/react';
import type { GetToken } from '../graphql/sendWithToken.js';
import { asCurl } from './curl.js';
import { messages } from './messages.js';
import { isSubscription, withValidOperationName } from './request.js';

/** Copies the access token, or the operation in the editor as a curl command, and says how it went. */
export function useCopy(getToken: GetToken, say: (feedback: string) => void) {
  const queryEditor = useGraphiQL((state) => state.queryEditor);
  const variableEditor = useGraphiQL((state) => state.variableEditor);
  const headerEditor = useGraphiQL((state) => state.headerEditor);
  const operationName = useGraphiQL((state) => state.operationName);

  const copy = async (makeText: () => Promise<{ text: string; said: string } | { refused: string }>) => {
    try {
      const made = await makeText();
      if ('refused' in made) return say(made.refused);
      if (!navigator.clipboard) return say(messages.notCopied(messages.noClipboard));
      await navigator.clipboard.writeText(made.text);
      say(made.said);
    } catch (problem) {
      say(messages.notCopied((problem as Error).message));
    }
  };

  const copyToken = () =>
    copy(async () => {
      const token = await getToken();
      return token ? { text: token, said: messages.tokenCopied } : { refused: messages.signedOutMeanwhile };
    });

  const copyCurl = () =>
    copy(async () => {
      const request = withValidOperationName({
        query: queryEditor?.getValue() ?? '',
        variables: tryParseJSONC(variableEditor?.getValue()),
        operationName,
      });
      if (isSubscription(request)) return { refused: messages.noCurlForSockets };
      const token = await getToken();
      const text = asCurl(request, token, tryParseJSONC(headerEditor?.getValue()));
      return { text, said: token ? messages.curlWithToken : messages.curlCopied };
    });

  return { copyToken, copyCurl };
}
